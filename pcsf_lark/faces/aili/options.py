"""What the verbs of `pcsf aili` take, and how a log is opened for them.

    def stats(path: PiLog, *, common: Common) -> None:
        with log_of(path, common) as now:
            ...

Exit codes: 0 done, 1 refused, 2 a wrong call, or what cannot be read or written.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import asdict, frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.aili.log import Opened

__all__ = ["Change", "Common", "PiLog", "Settings", "log_of"]

PiLog = Annotated[str, typer.Argument(metavar="FILE", help="A Pi session log.")]


@frozen
class Settings:
    """What is said over the settings files."""

    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Read this settings file alone. Default: the user's and the project's.",
            show_default=False,
        ),
    ] = None
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            metavar="N",
            min=1,
            help="Take the model's window to hold N tokens. Default: unknown, and no pressure is seen.",
            show_default=False,
        ),
    ] = None
    provider: Annotated[
        str | None,
        typer.Option(
            "--provider",
            metavar="NAME",
            help="Estimate tokens as for this provider. Default: the one in force at the leaf.",
            show_default=False,
        ),
    ] = None
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Estimate tokens as for this model. Default: the one in force at the leaf.",
            show_default=False,
        ),
    ] = None


@frozen
class Common(Settings):
    """What every verb takes behind its log."""

    leaf: Annotated[
        str | None,
        typer.Option(
            "--leaf",
            metavar="ID",
            help="Take the branch that ends in this entry. Default: the last line's, as Pi opens it.",
            show_default=False,
        ),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="Answer a program: one JSON object.")] = False


@frozen
class Change(Common):
    """What a verb takes that appends to the log."""

    dry: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; say what would be appended.")
    ] = False


@contextlib.contextmanager
def log_of(path: str, common: Common) -> Iterator[Opened]:
    """A log, opened, with notes on what is odd about it; what goes wrong is an exit code."""
    from pcsf_lark.faces.aili.log import Given, opened  # noqa: PLC0415 - help needs none of it
    from pcsf_lark.faces.aili.saying import answered, note  # noqa: PLC0415 - likewise

    given = Given(path, **asdict(common))
    with answered(given):
        now = opened(given)
        note(now)
        yield now
