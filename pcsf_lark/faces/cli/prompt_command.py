"""`pcsf prompt`: what to tell a model so that it writes a capsule, or takes one up."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import trouble, usage_error
from pcsf_lark.faces.files import Trouble, read_text

__all__ = ["app"]

#: Notes go into a prompt: what is far beyond one is a mistake.
_MOST = 4 * 1024 * 1024

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def _prompt() -> None:
    """Print the instruction of a protocol: to write a capsule, or to take one up."""


@app.command()
def compress(
    *,
    session: Annotated[
        str | None,
        typer.Option(
            metavar="NOTES", help="A text file with the session, or notes of it; - for stdin."
        ),
    ] = None,
) -> None:
    """Tell a model to write a capsule of its session."""
    from pcsf_lark.protocols.compress import compress_prompt  # noqa: PLC0415 - one of two

    notes = None
    if session is not None:
        try:
            notes = read_text(session, _MOST)
        except Trouble as error:
            trouble(error)
        if notes is None:
            usage_error(f"{session}: more than {_MOST:,} bytes of notes; shorten them")
    _print(compress_prompt(notes))


@app.command()
def resume(
    path: Annotated[str, typer.Argument(metavar="CAPSULE", help="A capsule, or - for stdin.")],
) -> None:
    """Tell a model to go on from a capsule, and under which contract."""
    from pcsf_lark.faces.cli.noticing import noticed  # noqa: PLC0415 - brings the rules
    from pcsf_lark.protocols.resume import resume_prompt  # noqa: PLC0415 - one of two

    _print(resume_prompt(noticed(path)))


def _print(prompt: str) -> None:
    sys.stdout.buffer.write(prompt.encode("utf-8", "surrogateescape"))
