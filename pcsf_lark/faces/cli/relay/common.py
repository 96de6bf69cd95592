"""What the verbs of `pcsf relay` share: opening, errors as exit codes, how a window is told."""

from __future__ import annotations

import contextlib
import enum
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from attrs import frozen

from pcsf_lark.faces.cli.cso.common import answered, print_json, print_text, told
from pcsf_lark.faces.cli.terminal import usage_error
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.relay import Repository, Window

__all__ = [
    "Change",
    "Common",
    "Ident",
    "OnBranch",
    "Shape",
    "ShapeOption",
    "opened",
    "refuse",
    "relaying",
    "tell",
]


class Shape(enum.StrEnum):
    """How results are shown."""

    human = "human"
    json = "json"


ShapeOption = Annotated[
    Shape, typer.Option("--format", help="Print it for a person, or as one JSON object.")
]
Ident = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="A fact's or decision's id, as `pcsf relay head --cso` shows."
    ),
]


@frozen
class Common:
    """What every verb takes: the relay, and how it answers."""

    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="PATH|URL",
            help="Use this relay: a project's folder, its .pcsf, a database file, or a database's "
            "URL. Default: PCSF_RELAY, else the nearest .pcsf upwards.",
            show_default=False,
        ),
    ] = None
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Use this session of it. Default: the one that was begun here.",
            show_default=False,
        ),
    ] = None
    shape: ShapeOption = Shape.human


@frozen
class OnBranch(Common):
    """What a verb takes that is about one branch."""

    branch: Annotated[
        str | None,
        typer.Option(
            "--branch",
            metavar="NAME",
            help="Use this branch. Default: the current one.",
            show_default=False,
        ),
    ] = None


@frozen
class Change(OnBranch):
    """What a verb takes that adds a window to a branch."""

    now: Annotated[
        str | None,
        typer.Option(
            "--now",
            metavar="TIME",
            help="Date it so, as 2026-05-04T09:30Z. Default: the clock's time.",
            show_default=False,
        ),
    ] = None

    @property
    def time(self) -> str | None:
        """The time that was given; exits 2 for a text that is none."""
        if self.now is not None and not (is_timestamp(self.now) and is_real_time(self.now)):
            usage_error(f"--now: expected a time such as 2026-05-04T09:30Z, got {self.now!r:.40}")
        return self.now


@contextlib.contextmanager
def relaying(name: str = "") -> Iterator[None]:
    """Say what went wrong; exit 1 for content, 2 for places, keys and stores."""
    from pcsf_lark.relay.errors import RepositoryError

    with answered(name):
        try:
            yield
        except RepositoryError as error:
            usage_error(str(error))


@contextlib.contextmanager
def opened(common: Common, *, keyless: bool = False) -> Iterator[Repository]:
    """The repository that options name, closed in the end."""
    from pcsf_lark.relay import Repository

    branch = common.branch if isinstance(common, OnBranch) else None
    with Repository.open(
        store=common.store, session=common.session, branch=branch, keyless=keyless
    ) as found:
        yield found


def tell(window: Window, branch: str, shape: Shape, **more: Any) -> None:
    """Say what became of a push or a change: the headers, and every entry that was dropped."""
    if shape is Shape.json:
        from pcsf_lark.faces.relay.telling import landed

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
        print_text(str(header), verbatim=True)
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
