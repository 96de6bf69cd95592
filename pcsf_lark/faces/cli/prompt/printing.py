"""`pcsf prompt compress` and `resume`: what to tell a model."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.api import conformant
from pcsf_lark.faces.cli.terminal import trouble, usage_error
from pcsf_lark.faces.files import Trouble, read_text

__all__ = ["compress", "resume"]

#: Notes go into a prompt: what is far beyond one is a mistake.
_MOST = 4 * 1024 * 1024


def compress(
    *,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Append this text of the session, or notes of it; - for stdin. Default: none.",
            show_default=False,
        ),
    ] = None,
    draft: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Append this draft to finish, as `pcsf draft` makes one; - for stdin. "
            "Default: none.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Tell a model to write a capsule of its session, or to finish a draft of one.

    Examples:
        # Get the instruction to give at the end of a session.
        pcsf prompt compress
        #=> Write a capsule of this session: ...
        # Let a model finish what was drafted from a log.
        pcsf prompt compress --draft capsule.pcsf
        #=> Write a capsule of this session: ...
    """
    from pcsf_lark.protocols.compress import compress_prompt

    if draft is not None and draft == session:
        usage_error("the notes and the draft need a file each")
    notes = _text(session, "notes") if session is not None else None
    made = _text(draft, "a draft") if draft is not None else None
    if made is not None and not conformant(made.encode("utf-8", "surrogateescape")):
        usage_error(f"{draft}: is no conformant capsule; `pcsf check` says why")
    _print(compress_prompt(notes, made))


def _text(path: str, what: str) -> str:
    """The text of a file; exits where there is none, or far too much."""
    try:
        text = read_text(path, _MOST)
    except Trouble as error:
        trouble(error)
    if text is None:
        usage_error(f"{path}: more than {_MOST:,} bytes of {what}; shorten them")
    return text


def resume(
    path: Annotated[str, typer.Argument(metavar="CAPSULE", help="A capsule, or - for stdin.")],
) -> None:
    """Tell a model to go on from a capsule, and under which contract.

    Examples:
        # Get what to paste at the start of the next session.
        pcsf prompt resume capsule.pcsf
        #=> Below is a capsule: ...
    """
    from pcsf_lark.faces.cli.noticing import noticed
    from pcsf_lark.protocols.resume import resume_prompt

    _print(resume_prompt(noticed(path)))


def _print(prompt: str) -> None:
    sys.stdout.buffer.write(prompt.encode("utf-8", "surrogateescape"))
