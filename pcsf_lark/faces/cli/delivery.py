"""What the operations share: inputs taken or refused, the log, and where the capsule goes."""

from __future__ import annotations

import enum
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pcsf_lark.api import parse_source
from pcsf_lark.errors import CapsuleError, Unfittable
from pcsf_lark.faces.cli.terminal import colours, say, show_refusal, trouble, usage_error
from pcsf_lark.faces.files import STDIN, Trouble, find, read, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from pcsf_lark.model import Capsule
    from pcsf_lark.passes.log import Row
    from pcsf_lark.source import Source

    _T = TypeVar("_T")

__all__ = [
    "Log", "LogOption", "Output", "StampOption",
    "attempt", "capsule", "deliver", "once", "refuse", "show_log", "source", "spare",
]  # fmt: skip


class Log(enum.StrEnum):
    """How the log of what was dropped is shown."""

    text = "text"
    json = "json"


LogOption = Annotated[
    Log,
    typer.Option(
        "--log",
        help="Tell on stderr what was dropped: lines and warnings, or one JSON array of rows.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write FILE, whole or not at all. Default: stdout.",
        show_default=False,
    ),
]
StampOption = Annotated[
    bool, typer.Option("--stamp", help="Add an INTEGRITY line; its bytes count against the budget.")
]


def once(paths: Iterable[str]) -> None:
    """Refuse a call that names standard input more than once."""
    if list(paths).count(STDIN) > 1:
        usage_error("standard input (-) can be read once only")


def spare(paths: Iterable[str], output: str | None) -> None:
    """Refuse to write a page over what it shows, be it named or below a folder that is."""
    if not output or not Path(output).is_file():
        return
    for found in find(paths):
        if isinstance(found, Trouble) or found == STDIN or not Path(found).exists():
            continue
        if Path(output).samefile(found):
            usage_error(f"-o {output} is what is shown; name another file")


def source(path: str) -> Source:
    """The text of a file; exits 2 where it cannot be read."""
    try:
        return read(path)
    except Trouble as error:
        trouble(error)


def capsule(path: str, text: Source, take: Callable[[Source], Capsule] = parse_source) -> Capsule:
    """The tree of a text; where ``take`` refuses it, shows why and exits 1."""
    try:
        return take(text)
    except CapsuleError as error:
        show_refusal(path, error, colour=colours(sys.stderr), source=text)
        raise typer.Exit(1) from None


def attempt(operation: Callable[[], _T], name: str, log: Log = Log.text) -> _T:
    """The operation's result; where the capsule cannot fit, says what it needs and exits 1."""
    try:
        return operation()
    except Unfittable as error:
        if log is Log.json:
            import json  # noqa: PLC0415 - for --log json alone

            members = ("needed", "budget", "obstacles")
            failure = {"error": "unfittable", **{name: getattr(error, name) for name in members}}
            say(json.dumps(failure), err=True)
        else:
            say(f"{name}: unfittable: {error}", err=True)
        raise typer.Exit(1) from None


def show_log(rows: Iterable[Row], warnings: Iterable[str], log: Log) -> None:
    """Rows and warnings as text, or the rows alone as a JSON array, on stderr."""
    if log is Log.json:
        import json  # noqa: PLC0415 - for --log json alone

        say("[" + ",\n ".join(json.dumps(row) for row in rows) + "]", err=True)
        return
    for row in rows:
        step = row["step"] if isinstance(row["step"], str) else f"step {row['step']}"
        freed = f"{row['freed']:,} bytes"
        say(f"{step}: {row['layer']}: {row['entry']} ({row['reason']}; {freed})", err=True)
    for warning in warnings:
        say(f"warning: {warning}", err=True)


def deliver(data: bytes, output: str | None) -> None:
    """Write a result to stdout, or to the file that -o names; exits 2 where that fails."""
    if output == "":
        usage_error("-o needs the name of a file")
    try:
        write(STDIN if output is None else output, data)
    except Trouble as error:
        trouble(error)


def refuse(message: str) -> NoReturn:
    """Say why there is no result and exit 1."""
    say(message, err=True)
    raise typer.Exit(1)
