"""The tools to read with: resume, for a capsule, and explain, for a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.inputs import CAPSULE_INPUT, Answer, source
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.faces.mcp.inputs import Grant

__all__ = ["EXPLAIN", "RESUME", "explain", "moment", "resume"]

RESUME = (
    *CAPSULE_INPUT,
    Argument("now", "string", "The present time, such as 2026-05-04T09:30Z; default: the clock's."),
    Argument("context_time", "string", "Of when the context is that you have besides."),
)
EXPLAIN = (
    Argument("rule", "string", "A code or name, such as C7 or malformed-entry.", required=True),
)


def resume(given: Mapping[str, Any], grant: Grant) -> Answer:
    """What to notice in a capsule before going on."""
    from pcsf_lark.faces.cli.clock import utc_now  # noqa: PLC0415 - for this tool alone
    from pcsf_lark.faces.noticing import notice  # noqa: PLC0415 - likewise
    from pcsf_lark.protocols.resume import resume_text  # noqa: PLC0415 - likewise

    name, text = source(given, grant)
    now = moment(given, "now") or utc_now()
    found = notice(text, now=now, context_time=moment(given, "context_time"))
    return Answer(resume_text(found, name), found.as_object(name))


def moment(given: Mapping[str, Any], name: str) -> str | None:
    """A time among the arguments; raises Refusal for a text that is none."""
    value = given.get(name)
    if value is not None and not (is_timestamp(value) and is_real_time(value)):
        raise Refusal(f"is {value!r:.40}", "send a time such as 2026-05-04T09:30Z", at=name)
    return value


def explain(given: Mapping[str, Any], _grant: Grant) -> Answer:
    """A rule's manual page."""
    from pcsf_lark.faces.explaining import Unexplained, page  # noqa: PLC0415 - for this tool alone

    try:
        found = page(given["rule"])
    except Unexplained as error:
        what = str(error).partition("; `pcsf")[0]  # models have no shell
        mend = "send a code or name that the resource pcsf://rules lists, such as C7"
        raise Refusal(what, mend, at="rule") from None
    return Answer(found.text, {**found.members(), "text": found.text})
