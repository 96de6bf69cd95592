"""The reasoning graph: who rests on whom (CRP-SPEC-030 §3, R30-R34).

Its edges are the explicit ones, the decisions' `depends_on`, and one from every
item of provenance TOOL to the node `tool:<provenance_ref>` (R39). Everything is
iterative and linear in nodes and edges; cycles in foreign input are tolerated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from cso import model
from cso.components import components
from cso.errors import CycleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "TOOL",
    "Reach",
    "cycles",
    "dependents",
    "depth",
    "explicit_supports",
    "pairs",
    "path",
    "reach",
    "refuse_cycles",
    "supports",
    "tool_node",
]

TOOL = "tool:"
"""Prefix of the nodes that stand for tool results."""

Rows = dict[str, list[str]]


@frozen
class Reach:
    """What rests on a root, nearest first; `acyclic` if that is known for certain."""

    root: str
    order: tuple[str, ...]
    affected: frozenset[str]
    acyclic: bool
    _rows: Mapping[str, Sequence[str]] = field(eq=False, repr=False)

    @property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """The same by distance; worked out when asked for."""
        distance = {self.root: 0}
        layers: list[list[str]] = []
        for node in (self.root, *self.order):
            beyond = distance[node] + 1
            for name in self._rows.get(node, ()):
                if name not in distance:
                    distance[name] = beyond
                    if beyond > len(layers):
                        layers.append([])
                    layers[beyond - 1].append(name)
        return tuple(map(tuple, layers))


def tool_node(reference: str) -> str:
    """Name the node of a tool result."""
    return TOOL + reference


def pairs(cso: model.CognitiveStateObject, *, tools: bool = True) -> Iterator[tuple[str, str]]:
    """Yield (dependent, depends_on), explicit edges first; repeats are possible."""
    for edge in cso.dependency_graph:
        yield edge.dependent, edge.depends_on
    for decision in cso.decisions:
        for name in decision.depends_on:
            yield decision.decision_id, name
    if tools:
        items: Iterable[model.Item] = (*cso.established_facts, *cso.decisions)
        for item in items:
            if item.provenance is model.Provenance.TOOL and item.provenance_ref:
                yield item.id, TOOL + item.provenance_ref


def dependents(cso: model.CognitiveStateObject) -> Rows:
    """Map each node to the nodes that rest on it."""
    rows: Rows = {}
    get = rows.get
    # The same walk as `pairs`, spelled out for the explicit edges: they are most.
    for edge in cso.dependency_graph:
        name = edge.depends_on
        row = get(name)
        if row is None:
            rows[name] = [edge.dependent]
        else:
            row.append(edge.dependent)
    explicit = explicit_supports(cso)
    for decision in cso.decisions:
        known = explicit.get(decision.decision_id, ())
        for name in decision.depends_on:
            if name not in known:
                rows.setdefault(name, []).append(decision.decision_id)
    tool = model.Provenance.TOOL
    for fact in cso.established_facts:
        if fact.provenance is tool and fact.provenance_ref:
            rows.setdefault(TOOL + fact.provenance_ref, []).append(fact.fact_id)
    for decision in cso.decisions:
        if decision.provenance is tool and decision.provenance_ref:
            rows.setdefault(TOOL + decision.provenance_ref, []).append(decision.decision_id)
    return rows


def supports(cso: model.CognitiveStateObject, *, tools: bool = True) -> Rows:
    """Map each node to what it rests on, without repeats, in order."""
    rows: dict[str, dict[str, None]] = {}
    for dependent, name in pairs(cso, tools=tools):
        rows.setdefault(dependent, {})[name] = None
    return {dependent: list(names) for dependent, names in rows.items()}


def reach(rows: Mapping[str, Sequence[str]], root: str) -> Reach:
    """Walk `rows` from `root`, breadth first. The root is never in the result."""
    seen = {root}
    order = [root]
    followed = 0
    get, add, push = rows.get, seen.add, order.append
    # The list grows while it is walked: it is the queue, too.
    for node in order:
        row = get(node)
        if row is not None:
            followed += len(row)
            for name in row:
                if name not in seen:
                    add(name)
                    push(name)
    # A tree has one edge a node: then there is no second way, hence no cycle.
    acyclic = followed == len(order) - 1
    seen.discard(root)
    return Reach(root, tuple(order[1:]), frozenset(seen), acyclic, rows)


def cycles(cso: model.CognitiveStateObject) -> tuple[tuple[str, ...], ...]:
    """List the groups of nodes that rest on each other, each as one closed walk."""
    return tuple(components(supports(cso, tools=False)).cycles)


def depth(source: model.CognitiveStateObject | Iterable[tuple[str, str]]) -> int:
    """Give the longest path in edges, cycles counting as one node (R33)."""
    rows: dict[str, dict[str, None]] = {}
    edges = pairs(source) if isinstance(source, model.CognitiveStateObject) else source
    for dependent, name in edges:
        rows.setdefault(dependent, {})[name] = None
    layers = _layers(rows)
    if layers is not None:
        return layers
    found = components(rows)
    longest: dict[int, int] = {}
    # Components come with those they rest on before them.
    for number, nodes in enumerate(found.groups):
        below = {found.group_of[name] for node in nodes for name in rows.get(node, ())} - {number}
        longest[number] = max((longest[other] + 1 for other in below), default=0)
    return max(longest.values(), default=0)


def _layers(rows: Mapping[str, Mapping[str, None]]) -> int | None:
    """Give the longest path of a graph without cycles; None for another one.

    Nodes are taken off layer by layer, each when all that it rests on is off: as
    many layers as there are, so long is the longest path.
    """
    above: dict[str, list[str]] = {}
    waiting: dict[str, int] = {}
    for dependent, names in rows.items():
        waiting[dependent] = len(names)
        for name in names:
            above.setdefault(name, []).append(dependent)
    layer = [name for name in above if name not in waiting]
    number = 0
    while layer:
        following: list[str] = []
        for name in layer:
            for dependent in above.get(name, ()):
                waiting[dependent] -= 1
                if not waiting[dependent]:
                    following.append(dependent)
        number += bool(following)
        layer = following
    return None if any(waiting.values()) else number


def path(rows: Mapping[str, Sequence[str]], start: str, end: str) -> tuple[str, ...]:
    """Give a shortest walk from `start` to `end` along `rows`; empty if none."""
    came: dict[str, str] = {start: start}
    frontier = [start]
    while frontier and end not in came:
        following: list[str] = []
        for node in frontier:
            for name in rows.get(node, ()):
                if name not in came:
                    came[name] = node
                    following.append(name)
        frontier = following
    if end not in came:
        return ()
    walk = [end]
    while walk[-1] != start:
        walk.append(came[walk[-1]])
    return tuple(reversed(walk))


def refuse_cycles(cso: model.CognitiveStateObject, added: Sequence[tuple[str, str]]) -> None:
    """Raise `CycleError` if an edge of `added`, already in `cso`, closes a cycle (R32)."""
    if not added:
        return
    rows = supports(cso, tools=False)
    groups = components(rows).group_of if len(added) > 1 else {}
    for dependent, name in added:
        if groups and groups.get(dependent) != groups.get(name):
            continue
        walk = path(rows, name, dependent)
        if walk:
            shown = " -> ".join((dependent, *walk))
            raise CycleError(f"this edge would close a cycle: {shown}", at=dependent)


def explicit_supports(cso: model.CognitiveStateObject) -> dict[str, set[str]]:
    """Map each decision that rests on anything to what explicit edges say of it."""
    rows: dict[str, set[str]] = {d.decision_id: set() for d in cso.decisions if d.depends_on}
    for edge in cso.dependency_graph if rows else ():
        row = rows.get(edge.dependent)
        if row is not None:
            row.add(edge.depends_on)
    return rows
