"""What the command line says, and how: streams, colours, usage errors."""

from __future__ import annotations

import os
import sys
from typing import IO, TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from pcsf_lark.errors import CapsuleError
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source

__all__ = [
    "colours", "columns", "fitted", "say", "show_refusal", "show_report", "tell", "trouble", "usage_error",
]  # fmt: skip


#: Variables that ask for colours wherever the output goes.
_FORCING = ("FORCE_COLOR", "CLICOLOR_FORCE")


def colours(stream: IO[str]) -> bool:
    """Whether colours belong on a stream: one rule for all that the program prints.

    NO_COLOR not empty: no. FORCE_COLOR or CLICOLOR_FORCE not empty and not 0: yes.
    Else on a terminal, where neither CLICOLOR is 0 nor TERM is dumb.
    """
    known = os.environ
    if known.get("NO_COLOR"):
        return False
    if any(known.get(name, "0") not in ("", "0") for name in _FORCING):
        return True
    return known.get("CLICOLOR") != "0" and known.get("TERM") != "dumb" and stream.isatty()


def columns(stream: IO[str]) -> int | None:
    """How many columns a line may have on a terminal, by COLUMNS or itself; None elsewhere."""
    if not stream.isatty():
        return None
    named = os.environ.get("COLUMNS", "")
    if named.isdecimal() and int(named) > 0:
        return int(named)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):  # it will not say
        return None


def fitted(text: str, stream: IO[str]) -> str:
    """Prose as it goes to a stream: on a terminal, folded between words."""
    room = columns(stream)
    if room is None:
        return text
    from pcsf_lark.report.folding import folded  # noqa: PLC0415 - for a terminal alone

    return folded(text, room)


def tell(text: str, *, err: bool = False) -> None:
    """Write prose and a line end; on a terminal, folded between words."""
    stream = sys.stderr if err else sys.stdout
    stream.write(fitted(text, stream) + "\n")


def say(text: str, *, err: bool = False) -> None:
    """Write text and a line end to stdout, or to stderr."""
    stream = sys.stderr if err else sys.stdout
    stream.write(text + "\n")


def usage_error(message: str) -> NoReturn:
    """Say what is wrong with the call and exit 2."""
    tell(f"pcsf: {message}", err=True)
    raise typer.Exit(2)


def trouble(error: Exception) -> NoReturn:
    """Say what failed and exit 2."""
    usage_error(str(error))


def show_report(name: str, report: Report, *, colour: bool) -> None:
    """A file's findings, as `pcsf check` shows them, on stderr."""
    from pcsf_lark.report import human  # noqa: PLC0415 - pages of help need none

    room = columns(sys.stderr)
    for chunk in human.render([(name, report)], colour=colour, summary=False, columns=room):
        say(chunk, err=True)


def show_refusal(
    name: str, error: CapsuleError, *, colour: bool, source: Source | None = None
) -> None:
    """Why a verb refused a capsule, on stderr: each fault of the text that was judged."""
    from pcsf_lark.report import Report  # noqa: PLC0415 - for refusals alone
    from pcsf_lark.source import Source  # noqa: PLC0415 - likewise
    from pcsf_lark.syntax.recovery import recover  # noqa: PLC0415 - likewise

    if source is None:  # one without lines counts as false
        source = error.source if error.source is not None else Source.of(b"")
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
