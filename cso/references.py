"""References between items: which resolve, which do not, and edges made explicit (R30, R34)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso import model
from cso.altered import altered
from cso.errors import UnknownIdError
from cso.graph import TOOL, explicit_supports, pairs, refuse_cycles
from cso.marks import buried, opened
from cso.tokens import HELD

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["add_edges", "broken", "completed", "dangling"]


def dangling(cso: model.CognitiveStateObject) -> tuple[str, ...]:
    """List ids that are referenced and that nothing holds, in order of reference."""
    items = cso.items()
    absent: dict[str, None] = {}
    known: set[str] | None = None
    for pair in pairs(cso, tools=False):
        for name in pair:
            if name in items or name in absent or name.startswith(TOOL):
                continue
            known = buried(cso) if known is None else known
            if name not in known:
                absent[name] = None
    return tuple(absent)


def broken(cso: model.CognitiveStateObject) -> tuple[tuple[str, str], ...]:
    """List (item, support) where the item holds but its support is dead (S30 §5.1).

    Items marked NEEDS_REVISION are no fault: the mark says that they wait.
    """
    items = cso.items()
    holding = (model.Status.VALID, model.Status.STALE)
    found: dict[tuple[str, str], None] = {}
    gone = buried(cso)
    for dependent, name in pairs(cso, tools=False):
        item, support = items.get(dependent), items.get(name)
        if item is None or item.status not in holding or name.startswith(TOOL):
            continue
        if name in gone if support is None else support.status not in HELD:
            found[dependent, name] = None
    return tuple(found)


def completed(cso: model.CognitiveStateObject) -> model.CognitiveStateObject:
    """Add the edges that `depends_on` implies, sorted, at the end (R30)."""
    if not any(decision.depends_on for decision in cso.decisions):
        return cso
    explicit = explicit_supports(cso)
    added = sorted(
        (decision.decision_id, name)
        for decision in cso.decisions
        for name in decision.depends_on
        if name not in explicit.get(decision.decision_id, ())
    )
    if not added:
        return cso
    edges = cso.dependency_graph + tuple(model.Edge(a, b) for a, b in added)
    return altered(cso, dependency_graph=edges)


def add_edges(
    cso: model.CognitiveStateObject, edges: Iterable[tuple[str, str]]
) -> model.CognitiveStateObject:
    """Add (dependent, depends_on) edges to the draft of an object (R32).

    Edges that are there change nothing. Raises `UnknownIdError` for a dependent
    that no item has, and `CycleError`, with the cycle, for an edge that closes one.
    """
    there, items = set(pairs(cso, tools=False)), cso.items()
    added = [pair for pair in dict.fromkeys(edges) if pair not in there]
    for dependent, _ in added:
        if dependent not in items:
            raise UnknownIdError(f"no item {dependent!r:.140} to add an edge to", at=dependent)
    if not added:
        return cso
    draft = opened(cso)
    rows = (*draft.dependency_graph, *(model.Edge(a, b) for a, b in added))
    result = altered(draft, dependency_graph=rows)
    refuse_cycles(result, added)
    return result
