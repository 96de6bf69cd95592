"""A capsule drawn for a person: layers, priorities, and where the bytes went."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from pcsf_lark.model import Capsule, Entry
    from pcsf_lark.spec import Layer

__all__ = ["portrait"]

_STYLES = {"L1": "cyan", "L2": "red", "L3": "magenta", "L4": "green", "L5": "yellow"}
_TITLES = {
    "L1": "decided and found",
    "L2": "ruled out",
    "L3": "held but unsaid",
    "L4": "working relationship",
    "L5": "open loops",
}
_PRIORITIES = {"HIGH": "bold red", "MED": "yellow", "LOW": "dim"}
_FRAME = "bright_black"
_PLAIN_WIDTH = 100


def portrait(name: str, capsule: Capsule, *, colour: bool) -> None:
    """Print the capsule to stdout; without ``colour`` plain text."""
    width = None if sys.stdout.isatty() else _PLAIN_WIDTH
    console = Console(
        file=sys.stdout, force_terminal=colour, no_color=not colour, highlight=False, width=width
    )
    with console.capture() as drawn:
        console.print(Group(*_parts(name, capsule, console.width)))
    # Rich pads cells to their column's width; a pipe is better without.
    for line in drawn.get().splitlines():
        sys.stdout.write(line.rstrip(" ") + "\n")


def _parts(name: str, capsule: Capsule, width: int) -> Iterator[RenderableType]:
    meta = capsule.meta
    yield Text.assemble((meta.topic, "bold"), ("  ", ""), (name, _FRAME))
    facts = [meta.domain, meta.depth, meta.timestamp, capsule.version, capsule.layout]
    if capsule.chain:
        hops = "hop" if capsule.chain.hops == "1" else "hops"
        facts.append(f"{capsule.chain.hops} {hops} since {capsule.chain.origin}")
    if capsule.integrity:
        facts.append("stamped")
    yield Text(", ".join(facts), style=_FRAME)
    yield Text()
    yield Text(capsule.seed.text, style="italic")
    for layer, (key, entries) in zip(LAYERS, capsule.layers, strict=True):
        yield Text()
        yield Text.assemble(
            (f"{key} {_TITLES[key]}", f"bold {_STYLES[key]}"),
            (f"  {len(entries)} of {layer.cap}", _FRAME),
        )
        if entries:
            yield Padding(_entries(layer, entries), (0, 0, 0, 2))
    yield Text()
    yield from _budget(capsule, width)


def _entries(layer: Layer, entries: tuple[Entry, ...]) -> Table:
    table = Table.grid(padding=(0, 2), expand=False)
    style = _STYLES[layer.key]
    table.add_column(style=style, no_wrap=bool(layer.types or layer.separator == ": "))
    for _ in layer.fields[1:]:
        table.add_column(overflow="fold")
    if layer.fields[-1] == "priority":
        # Urgency leads: it is what the eye looks for among loops.
        for entry in entries:
            kind, text, priority = entry.values
            table.add_row(
                Text(priority, style=_PRIORITIES[priority]), Text(text), Text(kind, _FRAME)
            )
        return table
    for entry in entries:
        table.add_row(*(Text(value) for value in entry.values))
    return table


def _budget(capsule: Capsule, width: int) -> Iterator[RenderableType]:
    """One bar of the limit, a stretch a layer, the rest blank."""
    used = capsule.size or 0
    drawn = (sys.stdout.encoding or "").lower().startswith("utf")
    full, blank = ("\N{FULL BLOCK}", "\N{LIGHT SHADE}") if drawn else ("#", ".")
    shares = [
        (key, sum(len(entry.line) + 1 for entry in entries)) for key, entries in capsule.layers
    ]
    frame = used - sum(size for _, size in shares)
    room = min(width, 72)
    bar = Text()
    legend = Text()
    done = cells = 0
    for key, size in [("frame", frame), *shares]:
        done += size
        until = round(done * room / LIMIT)
        style = _STYLES.get(key, _FRAME)
        bar.append(full * (until - cells), style=style)
        cells = until
        legend.append(f"{key} {size}  ", style=style)
    bar.append(blank * (room - cells), style=_FRAME)
    yield bar
    yield legend
    yield Text(f"{used:,} of {LIMIT:,} bytes, {LIMIT - used:,} left")
