"""The prompts: the two protocols, to write a capsule and to take one up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pcsf_lark.faces.mcp.arguments import Argument, taken
from pcsf_lark.faces.mcp.bounds import CAPSULE, NOTES
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["PROMPTS", "Prompt", "prompt"]


class Prompt(NamedTuple):
    """A prompt: what it says of itself, what it takes, and the function that writes it."""

    title: str
    about: str
    arguments: tuple[Argument, ...]
    write: Callable[[Mapping[str, Any]], str]


def prompt(name: str, given: Mapping[str, Any]) -> str:
    """The text of a prompt; raises Refusal, and CapsuleError for a capsule that is none."""
    found = PROMPTS.get(name)
    if found is None:
        mend = f"the prompts are {', '.join(PROMPTS)}"
        raise Refusal(f"there is no prompt {name!r:.80}", mend)
    return found.write(taken(found.arguments, given))


def _compress(given: Mapping[str, Any]) -> str:
    from pcsf_lark.api import parse  # noqa: PLC0415 - for a prompt that is asked for
    from pcsf_lark.protocols.compress import compress_prompt  # noqa: PLC0415 - likewise

    draft = given.get("draft")
    if draft is not None:
        parse(draft)
    return compress_prompt(given.get("notes"), draft)


def _resume(given: Mapping[str, Any]) -> str:
    from pcsf_lark.faces.noticing import notice  # noqa: PLC0415 - likewise
    from pcsf_lark.protocols.resume import resume_prompt  # noqa: PLC0415 - likewise
    from pcsf_lark.source import Source  # noqa: PLC0415 - likewise

    return resume_prompt(notice(Source.of(given["capsule"])))


PROMPTS: Mapping[str, Prompt] = {
    "compress": Prompt(
        "Write a capsule of this session",
        "What to write so that another model takes up the work where this session leaves it.",
        (
            Argument("notes", "string", "The session, or notes of it, if you were not there.", most=NOTES),
            Argument("draft", "string", "A capsule to be finished, as `draft` makes one.", most=CAPSULE),
        ),
        _compress,
    ),
    "resume": Prompt(
        "Go on from a capsule",
        "A capsule with the contract under which its work is taken up.",
        (Argument("capsule", "string", "The capsule's text.", required=True, most=CAPSULE),),
        _resume,
    ),
}  # fmt: skip
