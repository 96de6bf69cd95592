"""Where the nodes of a directed graph stand: in columns, with few crossings.

The method of Sugiyama, Tagawa and Toda (1981) in its plainest form: turn the edges
that close a cycle, put each node one column behind all that point to it, run long
edges through places of their own, order the columns by the means of neighbours, and
move each column towards its neighbours as far as the distances allow. Libraries
were weighed: those for Python are copyleft and unkept (grandalf), bind a program
that would have to be installed (graphviz), or place no long edges (networkx). What
is drawn here has tens of nodes; larger graphs are cut before they come here.

Laws of this module: pure; the same graph in the same order gives the same places.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from typing import TYPE_CHECKING

from attrs import define, field, frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Placing", "Spot", "layered"]

#: How often the order of columns is improved, and how often their heights are.
_SWEEPS, _MOVES = 8, 6
#: The room an edge needs where it passes a column; a node needs 1.
_PASSING = 0.4

_Node = int


@frozen
class Spot:
    """A place: the column from the left, and the height in rows from the top."""

    column: int
    row: float


@frozen
class Placing:
    """The spot of each node, and for each edge the spots it leads through, ends included.

    ``turned`` are the indices of edges that point to the left, since they close a cycle.
    """

    nodes: tuple[Spot, ...]
    edges: tuple[tuple[Spot, ...], ...]
    columns: int
    rows: float
    turned: frozenset[int]


def layered(count: int, edges: Sequence[tuple[int, int]]) -> Placing:
    """Place nodes ``0`` to ``count - 1``; an edge ``(a, b)`` has ``a`` to the left of ``b``.

    An edge from a node to itself is given no way, only its end.
    """
    turned = _turned(count, edges)
    ways = [(b, a) if i in turned else (a, b) for i, (a, b) in enumerate(edges)]
    graph = _Graph(_columns(count, ways))
    paths = [graph.path(a, b) for a, b in ways]
    graph.settle()
    rows = graph.rows()
    spots = [Spot(graph.column[n], rows[n]) for n in range(len(graph.column))]
    routes = tuple(
        tuple(spots[n] for n in (reversed(path) if i in turned else path))
        for i, path in enumerate(paths)
    )
    lowest = max((spot.row for spot in spots), default=0.0)
    width = max(graph.column, default=-1) + 1
    return Placing(tuple(spots[:count]), routes, width, lowest + 1 if spots else 0.0, turned)


def _turned(count: int, edges: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The edges that lead back to where a walk came from; those to themselves among them."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for index, (a, b) in enumerate(edges):
        out[a].append((index, b))
    found: set[int] = set()
    state = [0] * count
    for start in range(count):
        if state[start]:
            continue
        state[start] = 1
        walk = [(start, iter(out[start]))]
        while walk:
            node, rest = walk[-1]
            for index, after in rest:
                if state[after] == 1:
                    found.add(index)
                elif not state[after]:
                    state[after] = 1
                    walk.append((after, iter(out[after])))
                    break
            else:
                state[node] = 2
                walk.pop()
    return frozenset(found)


def _columns(count: int, ways: Iterable[tuple[int, int]]) -> list[int]:
    """For each node, how long the longest way to it is; at the ends as near as can be."""
    out: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for a, b in ways:
        if a != b:
            out[a].append(b)
            waiting[b] += 1
    column = [0] * count
    ready = [node for node in range(count) if not waiting[node]]
    for node in ready:
        for after in out[node]:
            column[after] = max(column[after], column[node] + 1)
            waiting[after] -= 1
            if not waiting[after]:
                ready.append(after)
    # What nothing points to may stand right before the first that it points to.
    sources = set(range(count)).difference(*out)
    for node in sources:
        column[node] = min((column[after] for after in out[node]), default=1) - 1
    return column


@define
class _Graph:
    """Nodes with their columns; edges between neighbouring columns alone."""

    column: list[int]
    size: list[float] = field(init=False)
    left: list[list[_Node]] = field(init=False)
    right: list[list[_Node]] = field(init=False)
    order: list[list[_Node]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.size = [1.0] * len(self.column)
        self.left = [[] for _ in self.column]
        self.right = [[] for _ in self.column]

    def path(self, a: _Node, b: _Node) -> list[_Node]:
        """Lead an edge through places of its own in the columns between its ends."""
        path = [a]
        for column in range(self.column[a] + 1, self.column[b]):
            self.column.append(column)
            self.size.append(_PASSING)
            self.left.append([])
            self.right.append([])
            path.append(len(self.column) - 1)
        if a != b:
            path.append(b)
        for one, other in itertools.pairwise(path):
            self.right[one].append(other)
            self.left[other].append(one)
        return path

    def settle(self) -> None:
        """Order each column; of all orders tried keep the one with the fewest crossings."""
        self.order = [[] for _ in range(max(self.column, default=-1) + 1)]
        for node, column in enumerate(self.column):
            self.order[column].append(node)
        best, least = [list(row) for row in self.order], self.crossings()
        for sweep in range(_SWEEPS):
            forth = sweep % 2 == 0
            columns = self.order if forth else self.order[::-1]
            beside = self.left if forth else self.right
            for before, row in itertools.pairwise(columns):
                at = {node: index for index, node in enumerate(before)}
                now = {node: index for index, node in enumerate(row)}
                row.sort(key=lambda n: _mean([at[m] for m in beside[n]], now[n]))
            crossings = self.crossings()
            if crossings < least:
                best, least = [list(row) for row in self.order], crossings
        self.order = best

    def crossings(self) -> int:
        """How many pairs of edges cross."""
        found = 0
        for row, after in zip(self.order, self.order[1:], strict=False):
            at = {node: index for index, node in enumerate(after)}
            ends: list[int] = []
            for node in row:
                mine = [at[other] for other in self.right[node]]
                found += sum(len(ends) - bisect_right(ends, end) for end in mine)
                for end in mine:
                    insort(ends, end)
        return found

    def rows(self) -> list[float]:
        """Heights: each column as near to its neighbours as its order and sizes allow."""
        height = [0.0] * len(self.column)
        for row in self.order:
            self._spread(row, [0.0] * len(row), height)
        for move in range(_MOVES):
            forth = move % 2 == 0
            beside = self.left if forth else self.right
            for row in self.order if forth else self.order[::-1]:
                wanted = [_mean([height[m] for m in beside[n]], height[n]) for n in row]
                self._spread(row, wanted, height)
        top = min(height, default=0.0)
        return [round(value - top, 2) for value in height]

    def _spread(self, row: list[_Node], wanted: list[float], height: list[float]) -> None:
        """Least squares under least distances: pool neighbours that would come too close."""
        offsets, at = [], 0.0
        for one, other in zip(row, [*row[1:], None], strict=True):
            offsets.append(at)
            at += (self.size[one] + (self.size[other] if other is not None else 0)) / 2
        pools: list[tuple[float, int]] = []
        for goal, offset in zip(wanted, offsets, strict=True):
            total, count = goal - offset, 1
            while pools and pools[-1][0] / pools[-1][1] > total / count:
                before = pools.pop()
                total, count = total + before[0], count + before[1]
            pools.append((total, count))
        shifts = [total / count for total, count in pools for _ in range(count)]
        for node, shift, offset in zip(row, shifts, offsets, strict=True):
            height[node] = shift + offset


def _mean(values: list[int] | list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
