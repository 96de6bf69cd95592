"""`pcsf diff`: what changed from one capsule to another."""

from __future__ import annotations

import enum
import json
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.delivery import capsule, once, source
from pcsf_lark.faces.cli.terminal import say, tell
from pcsf_lark.passes.diff import diff

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.passes.diff import Change

__all__ = ["command"]


class View(enum.StrEnum):
    """How changes are shown."""

    human = "human"
    json = "json"


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="A capsule, or - for standard input.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The capsule to compare it with.")],
    *,
    output: Annotated[
        View, typer.Option("--format", help="Print changes in this form.")
    ] = View.human,
) -> None:
    """Compare capsules by their threads: added, removed, changed, moved.

    Layout, final LF and the stamp's values are no differences. Exits 0 where
    there is none, else 1.

    Examples:
        # See what a session changed; exit 1, as it changed something.
        pcsf diff older.pcsf capsule.pcsf
        #=> exit 1
        #=> META changed: timestamp
    """
    once((a, b))
    changes = diff(*[capsule(path, source(path)) for path in (a, b)])
    if output is View.json:
        say(json.dumps({"equal": not changes, "changes": changes}, indent=1))
    else:
        for change in changes:
            tell("\n".join(_shown(change)))
    raise typer.Exit(int(bool(changes)))


def _shown(change: Change) -> Iterator[str]:
    """A headline, and the texts that differ."""
    old, new, start, end = change["old"], change["new"], change["from"], change["to"]
    places = ""
    if change["kind"] == "moved" and start is not None and end is not None:
        places = f", from place {start + 1} to {end + 1}"
    yield f"{change['layer']} {change['kind']}{places}: {change['key']}"
    if change["kind"] != "moved":
        for sign, text in (("-", old), ("+", new)):
            if text is not None:
                yield f"  {sign} {text}"
