"""A graph as a drawing: boxes, and lines between them, in pixels.

Laws of this module: pure; a drawing has at most ``MOST`` boxes, and says what it
left out; a box has room for two short lines, its title tells the rest.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.faces.pages.layered import layered
from pcsf_lark.faces.pages.visible import visible
from pcsf_lark.faces.pages.wording import cut, fitting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pcsf_lark.faces.pages.layered import Placing, Spot

__all__ = ["MOST", "Box", "Drawing", "Line", "Node", "chosen", "drawing"]

#: The most boxes and lines of a drawing: what one still reads, and what Mermaid still takes.
MOST, _LINES = 60, 240
#: Sizes in pixels: a box, and the room between boxes.
_WIDTH, _HEIGHT, _ACROSS, _BELOW, _EDGE = 196, 42, 44, 14, 4
_COLUMNS, _TITLE = 25, 300


@frozen
class Node:
    """What a box stands for: an id, its kind, its status where it is worth a word, its text.

    ``head`` is its first line where that is not its id.
    """

    id: str
    kind: str
    status: str = ""
    says: str = ""
    head: str = ""


@frozen
class Box:
    """A node's place, and its texts as they fit into it."""

    node: Node
    x: float
    y: float
    head: str
    text: str
    title: str


@frozen
class Line:
    """An edge's way, and the tip of its arrow."""

    path: str
    tip: str


@frozen(kw_only=True)
class Drawing:
    """A drawing's size and parts; ``edges`` are the node numbers that lines lead between."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    edges: tuple[tuple[int, int], ...]
    left_out_nodes: int = 0
    left_out_edges: int = 0
    box_width: int = _WIDTH
    box_height: int = _HEIGHT


def chosen(starts: Iterable[str], rests: Mapping[str, Sequence[str]], most: int = MOST) -> set[str]:
    """The ids to draw of a graph: each start with what it rests on, until there is no room."""
    found: dict[str, None] = {}
    for start in starts:
        queue = [start] if start not in found else []
        for name in queue:
            if len(found) >= most:
                return set(found)
            if name not in found:
                found[name] = None
                queue.extend(rests.get(name, ()))
    return set(found)


def drawing(
    nodes: Sequence[Node], edges: Sequence[tuple[str, str]], *, all_nodes: int, all_edges: int
) -> Drawing:
    """Draw nodes and the edges between them, each from the one that rests on the other.

    ``all_nodes`` and ``all_edges`` say how many there are in all.
    """
    numbers = {node.id: number for number, node in enumerate(nodes)}
    ways = list(
        dict.fromkeys(
            (numbers[a], numbers[b]) for a, b in edges if a in numbers and b in numbers and a != b
        )
    )[:_LINES]
    placing = layered(len(nodes), ways)
    boxes = tuple(_box(node, spot) for node, spot in zip(nodes, placing.nodes, strict=True))
    width = max(placing.columns * (_WIDTH + _ACROSS) - _ACROSS, 0) + 2 * _EDGE
    height = max(placing.rows * (_HEIGHT + _BELOW) - _BELOW, 0) + 2 * _EDGE
    return Drawing(
        width=width,
        height=round(height),
        boxes=boxes,
        lines=_lines(placing),
        edges=tuple(ways),
        left_out_nodes=all_nodes - len(nodes),
        left_out_edges=all_edges - len(ways),
    )


def _x(spot: Spot) -> int:
    return _EDGE + spot.column * (_WIDTH + _ACROSS)


def _y(spot: Spot) -> float:
    return round(_EDGE + spot.row * (_HEIGHT + _BELOW), 1)


def _box(node: Node, spot: Spot) -> Box:
    mark = f" · {node.status}" if node.status else ""
    head = fitting(visible(node.head or node.id), max(_COLUMNS - len(mark), 6)) + mark
    title = f"{node.head or f'{node.kind} {node.id}'}{mark}" + (
        f": {node.says}" if node.says else ""
    )
    text = fitting(visible(node.says), _COLUMNS)
    return Box(node, _x(spot), _y(spot), head, text, cut(title, _TITLE))


def _lines(placing: Placing) -> tuple[Line, ...]:
    found = []
    for index, spots in enumerate(placing.edges):
        if len(spots) < 2:
            continue
        found.append(_line(spots, turned=index in placing.turned))
    return tuple(found)


def _line(spots: Sequence[Spot], *, turned: bool) -> Line:
    """A curve from box to box: level where it leaves, arrives and passes a column."""
    step = -1 if turned else 1
    side = 0 if turned else _WIDTH
    middle = _HEIGHT / 2
    parts: list[str] = []
    for spot, after in itertools.pairwise(spots):
        x, y = _x(spot) + side, round(_y(spot) + middle, 1)
        to_x, to_y = _x(after) + _WIDTH - side, round(_y(after) + middle, 1)
        bend = step * _ACROSS * 0.6
        parts.append(f"{'L' if parts else 'M'}{x} {y}C{x + bend:g} {y} {to_x - bend:g} {to_y} ")
        parts.append(f"{to_x} {to_y}")
    back = to_x - step * 7
    tip = f"{to_x},{to_y} {back},{to_y - 3.5:g} {back},{to_y + 3.5:g}"
    return Line("".join(parts), tip)
