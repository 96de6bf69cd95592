"""A view drawn for a terminal: what a capsule holds, and where its bytes went."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pcsf_lark.faces.pages.capsule_view import CapsuleView
from pcsf_lark.faces.pages.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from pcsf_lark.faces.pages.budget import Budget
    from pcsf_lark.faces.pages.capsule_view import EntryView, LayerView
    from pcsf_lark.faces.pages.documents import View

__all__ = ["portrait"]

_STYLES = {"L1": "cyan", "L2": "red", "L3": "magenta", "L4": "green", "L5": "yellow"}
_PRIORITIES = {"HIGH": "bold red", "MED": "yellow", "LOW": "dim"}
_SOFT = "bright_black"
_PLAIN_WIDTH = 100
#: A terminal that is narrower folds the lines itself: in fewer columns no table can be drawn.
_LEAST_WIDTH = 20


def portrait(view: View, *, colour: bool, width: int | None) -> None:
    """Print a view to stdout; without ``colour`` plain text, without a ``width`` 100 columns."""
    console = Console(
        file=sys.stdout,
        force_terminal=colour,
        no_color=not colour,
        # The styles are of the sixteen that every terminal has; where they are asked for,
        # no further guess is.
        color_system="standard" if colour else None,
        highlight=False,
        width=_PLAIN_WIDTH if width is None else max(width, _LEAST_WIDTH),
    )
    with console.capture() as drawn:
        console.print(Group(*_parts(view, console.width)))
    # Rich pads cells to their column's width; a pipe is better without.
    for line in drawn.get().splitlines():
        sys.stdout.write(line.rstrip(" ") + "\n")


def _parts(view: View, width: int) -> Iterator[RenderableType]:
    if isinstance(view, CapsuleView):
        return _capsule(view, width)
    from pcsf_lark.faces.show.state_portrait import parts  # noqa: PLC0415 - a capsule needs no cso

    return parts(view)


def _capsule(view: CapsuleView, width: int) -> Iterator[RenderableType]:
    yield Text.assemble((view.topic, "bold"), ("  ", ""), (visible(view.name), _SOFT))
    facts = [value for _, value in view.about]
    if view.hops:
        hops = "hop" if view.hops == "1" else "hops"
        facts.append(f"{view.hops} {hops} since {view.origin}")
    if view.integrity == "verified":
        facts.append("stamped")
    yield Text(", ".join(facts), style=_SOFT)
    yield Text()
    yield Text(view.seed, style="italic")
    for layer in view.layers:
        yield Text()
        yield Text.assemble(
            (f"{layer.key} {layer.title}", f"bold {_STYLES[layer.key]}"),
            (f"  {layer.count} of {layer.cap}", _SOFT),
        )
        if layer.entries:
            yield Padding(_entries(layer), (0, 0, 0, 2))
    yield Text()
    yield from _budget(view.budget, width)


def _entries(layer: LayerView) -> Table:
    table = Table.grid(padding=(0, 2), expand=False)
    leading, *rest = _cells(layer.entries[0])
    del leading
    table.add_column(style=_STYLES[layer.key], no_wrap=bool(layer.entries[0].token))
    for _ in rest:
        table.add_column(overflow="fold")
    for entry in layer.entries:
        first, *others = _cells(entry)
        style = _PRIORITIES.get(entry.token, "")
        # Of an open loop the kind is the least: its urgency leads.
        last = [Text(others.pop(), _SOFT)] if entry.more and entry.more[0][0] == "kind" else []
        table.add_row(Text(first, style=style), *map(Text, others), *last)
    return table


def _cells(entry: EntryView) -> list[str]:
    token = [entry.token] if entry.token else []
    return [*token, entry.says, *(text for _, text in entry.more)]


def _budget(budget: Budget, width: int) -> Iterator[RenderableType]:
    """One bar of the limit, a stretch a layer, the rest blank."""
    drawn = (sys.stdout.encoding or "").lower().startswith("utf")
    full, blank = ("\N{FULL BLOCK}", "\N{LIGHT SHADE}") if drawn else ("#", ".")
    room = min(width, 72)
    bar = Text()
    legend = Text()
    done = cells = 0
    for share in budget.shares:
        done += share.size
        until = round(done * room / budget.limit)
        style = _STYLES.get(share.key, _SOFT)
        bar.append(full * (until - cells), style=style)
        cells = until
        legend.append(f"{share.key} {share.size}  ", style=style)
    bar.append(blank * (room - cells), style=_SOFT)
    yield bar
    yield legend
    yield Text(budget.told)
