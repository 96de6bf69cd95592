"""What the command line says, and how: streams, colours, usage errors."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, NoReturn

import typer

from pcsf_lark.report import Report, human
from pcsf_lark.source import Source

if TYPE_CHECKING:
    from pcsf_lark.errors import CapsuleError

__all__ = ["colours", "say", "show_refusal", "show_report", "trouble", "usage_error"]


def colours(stream: IO[str]) -> bool:
    """Whether colours belong on a stream: a terminal, and NO_COLOR unset or empty."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def say(text: str, *, err: bool = False) -> None:
    """Write text and a line end to stdout, or to stderr."""
    stream = sys.stderr if err else sys.stdout
    stream.write(text + "\n")


def usage_error(message: str) -> NoReturn:
    """Say what is wrong with the call and exit 2."""
    say(f"pcsf: {message}", err=True)
    raise typer.Exit(2)


def trouble(error: Exception) -> NoReturn:
    """Say what failed and exit 2."""
    usage_error(str(error))


def show_report(name: str, report: Report, *, colour: bool) -> None:
    """A file's findings, as `pcsf check` shows them, on stderr."""
    for chunk in human.render([(name, report)], colour=colour, summary=False):
        say(chunk, err=True)


def show_refusal(
    name: str, error: CapsuleError, *, colour: bool, source: Source | None = None
) -> None:
    """Why a verb refused a capsule, on stderr: each fault of the text that was judged."""
    from pcsf_lark.syntax.recovery import recover  # noqa: PLC0415 - for refusals alone

    source = source or error.source or Source.of(b"")
    report = Report(
        conformant=False,
        findings=error.diagnostics,
        bytes=source.size,
        layout=None,
        version=None,
        source=source,
        outliner=lambda: recover(source),
    )
    show_report(name, report, colour=colour)
