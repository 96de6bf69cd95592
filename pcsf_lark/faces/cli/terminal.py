"""What the command line says, and how: streams, colours, usage errors."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, NoReturn

import typer

from pcsf_lark.report import human

if TYPE_CHECKING:
    from pcsf_lark.errors import CapsuleError
    from pcsf_lark.report import Report

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


def show_refusal(name: str, report: Report, error: CapsuleError, *, colour: bool) -> None:
    """Why a verb refused a file: its findings, or what would be wrong with the result."""
    if not report.conformant:
        show_report(name, report, colour=colour)
        return
    for finding in error.diagnostics:
        say(f"{name}: {finding.code} {finding.name}: {finding.message}; {finding.help}", err=True)
