"""What the verbs of `pcsf relay` share: opening, errors as exit codes, how a window is told."""

from __future__ import annotations

import contextlib
import enum
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pcsf_lark.faces.cli.cso.common import answered, print_json, print_text, told
from pcsf_lark.faces.cli.terminal import usage_error
from pcsf_lark.faces.relay_telling import landed
from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.relay import Repository, Window

__all__ = [
    "BranchOption",
    "NowOption",
    "SessionOption",
    "Shape",
    "ShapeOption",
    "StoreOption",
    "moment",
    "opened",
    "refuse",
    "relaying",
    "tell",
]


class Shape(enum.StrEnum):
    """How results are shown."""

    human = "human"
    json = "json"


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH|URL",
        help="A project's folder, its .pcsf, a database file, or a database's URL. "
        "Default: PCSF_RELAY, else the nearest .pcsf upwards.",
    ),
]
SessionOption = Annotated[
    str | None,
    typer.Option("--session", metavar="S", help="The session, where the store has several."),
]
BranchOption = Annotated[
    str | None, typer.Option("--branch", metavar="B", help="The branch; default: the current one.")
]
ShapeOption = Annotated[Shape, typer.Option("--format", help="How the result is shown.")]
NowOption = Annotated[
    str | None,
    typer.Option("--now", metavar="T", help="The time to note, as 2026-05-04T09:30Z."),
]


@contextlib.contextmanager
def relaying(name: str = "") -> Iterator[None]:
    """Say what went wrong; exit 1 for content, 2 for places, keys and stores."""
    with answered(name):
        try:
            yield
        except RepositoryError as error:
            usage_error(str(error))


@contextlib.contextmanager
def opened(
    store: str | None, session: str | None, branch: str | None = None, *, keyless: bool = False
) -> Iterator[Repository]:
    """The repository that options name, closed in the end."""
    from pcsf_lark.relay import Repository

    with Repository.open(store=store, session=session, branch=branch, keyless=keyless) as found:
        yield found


def moment(now: str | None) -> str | None:
    """The time an option gives; exits 2 for a text that is none."""
    if now is not None and not (is_timestamp(now) and is_real_time(now)):
        usage_error(f"--now: expected a time such as 2026-05-04T09:30Z, got {now!r:.40}")
    return now


def tell(window: Window, branch: str, shape: Shape, **more: Any) -> None:
    """Say what became of a push or a change: the headers, and every entry that was dropped."""
    if shape is Shape.json:
        print_json({**landed(window, branch), **more})
        return
    number, tag = window.cso.window_number, window.cso.cso_hmac[:19]
    if window.unchanged:
        print_text(f"nothing to do: {window.unchanged}; {branch} is at window {number} {tag}")
        _tell_withheld(window)
        return
    known = f", {window.known} known" if window.known else ""
    print_text(f"window {number} {tag} on {branch}: {window.notes.kind}, {window.added} new{known}")
    for header in window.headers:
        print_text(str(header))
    for kind, ids in window.restored.items():
        print_text(f"restored {kind}: {', '.join(ids)}")
    for lost in window.notes.dropped:
        print_text(f"dropped: {lost.layer}: {lost.entry} ({lost.reason})")
    _tell_withheld(window)
    for one in window.notes.absent:
        print_text(f"absent: {one.kind}: {one.text} ({one.reason})")
    for warning in window.warnings:
        told(f"warning: {warning}")


def _tell_withheld(window: Window) -> None:
    for one in window.withheld:
        print_text(f"withheld: {one.id}: {one.text} ({one.reason})")


def refuse(message: str) -> NoReturn:
    """Say why a verb does not do what was asked, and exit 1."""
    told(message)
    raise typer.Exit(1)
