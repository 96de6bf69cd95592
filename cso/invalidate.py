"""Invalidation: one item falls, and everything that rests on it is marked (R31).

The root fact becomes INVALIDATED, a root decision NEEDS_REVISION; dependents
become NEEDS_REVISION and are never invalidated outright, for they may stand on
other grounds. The walk is iterative and linear, and ends on any graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, model
from cso.altered import altered, marked
from cso.components import components
from cso.errors import UnknownIdError
from cso.marks import opened
from cso.model import CognitiveStateObject, Record, RecordKind, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cso.graph import Reach

__all__ = ["Invalidation", "affected_by", "invalidate", "mark_dependents", "report_of"]


@frozen
class Invalidation:
    """What an invalidation reached.

    `affected` never holds the root, also where the root is in a cycle. `layers`
    is the same by distance; `dangling` the reached ids that nothing holds;
    `needs_human` the reached decisions that may not be revised.
    """

    root: str
    affected: tuple[str, ...]
    layers: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    dangling: tuple[str, ...] = ()
    needs_human: tuple[str, ...] = ()


def affected_by(cso: CognitiveStateObject, name: str) -> Reach:
    """Walk to all that rests on an id, directly or not; unknown ids reach nothing."""
    return graph.reach(graph.dependents(cso), name)


def invalidate(
    cso: CognitiveStateObject, name: str, reason: str, *, strict: bool = True
) -> tuple[CognitiveStateObject, Invalidation]:
    """Invalidate an item and mark its dependents.

    The change is recorded, which takes the fact out of the preservation count.
    Raises `UnknownIdError` for an id that no item has; not `strict`, the object
    comes back as it is.
    """
    rows = graph.dependents(cso)
    found = graph.reach(rows, name)
    root = _item(cso, name)
    if root is None:
        if strict:
            raise UnknownIdError(f"no item {name!r:.140}; nothing was changed", at=name)
        return cso, report_of(cso, found, rows)
    report = report_of(cso, found, rows)
    fact = isinstance(root, model.Fact)
    status = Status.INVALIDATED if fact else Status.NEEDS_REVISION
    if not fact and root.status not in model.LIVE:
        status = root.status
    changed = mark_dependents(cso, found.affected)
    changed = _marked_root(changed, root, status)
    if changed is cso:
        return cso, report
    draft = opened(changed)
    record = Record(
        target=name,
        because=reason,
        window=draft.window_number,
        affected=report.affected,
        kind=RecordKind.INVALIDATION,
    )
    return graph.completed(altered(draft, revisions=(*draft.revisions, record))), report


def _item(cso: CognitiveStateObject, name: str) -> model.Item | None:
    for fact in cso.established_facts:
        if fact.fact_id == name:
            return fact
    return next((d for d in cso.decisions if d.decision_id == name), None)


def _marked_root(
    cso: CognitiveStateObject, root: model.Item, status: Status
) -> CognitiveStateObject:
    if root.status is status:
        return cso
    new = altered(root, status=status)
    if isinstance(new, model.Fact):
        facts = tuple(new if f.fact_id == root.id else f for f in cso.established_facts)
        return altered(cso, established_facts=facts)
    decisions = tuple(new if d.decision_id == root.id else d for d in cso.decisions)
    return altered(cso, decisions=decisions)


_HOLDING = frozenset({Status.VALID, Status.STALE})


def mark_dependents(
    cso: CognitiveStateObject,
    affected: Iterable[str],
    status: Status = Status.NEEDS_REVISION,
    holding: frozenset[Status] = _HOLDING,
) -> CognitiveStateObject:
    """Set the status of the items named, where theirs is one of `holding`."""
    names = affected if isinstance(affected, frozenset) else frozenset(affected)

    def fact(item: model.Fact) -> bool:
        return item.fact_id in names and item.status in holding

    def decision(item: model.Decision) -> bool:
        return item.decision_id in names and item.status in holding

    facts = _marked(cso.established_facts, status, fact)
    decisions = _marked(cso.decisions, status, decision)
    if facts is cso.established_facts and decisions is cso.decisions:
        return cso
    return altered(cso, established_facts=facts, decisions=decisions)


def _marked(
    items: tuple[model.ItemT, ...], status: Status, which: Callable[[model.ItemT], bool]
) -> tuple[model.ItemT, ...]:
    return marked(items, status, which) if items else items


def report_of(cso: CognitiveStateObject, found: Reach, rows: graph.Rows) -> Invalidation:
    """Turn a walk into a report, with the cycles it met."""
    affected = tuple(name for layer in found.layers for name in layer)
    cycles: tuple[tuple[str, ...], ...] = ()
    if not found.acyclic:
        nodes = {found.root, *affected}
        inner = {node: [n for n in rows.get(node, ()) if n in nodes] for node in nodes}
        # Rows point to dependents; a cycle reads the other way, as who rests on whom.
        cycles = tuple(tuple(reversed(cycle)) for cycle in components(inner).cycles)
    reached = found.affected
    facts = {fact.fact_id for fact in cso.established_facts}
    decisions = {decision.decision_id: decision for decision in cso.decisions}
    missing = tuple(n for n in affected if n not in facts and n not in decisions)
    human = tuple(
        name
        for name, decision in decisions.items()
        if not decision.revisable
        and decision.status in model.LIVE
        and (name in reached or name == found.root)
    )
    return Invalidation(found.root, affected, found.layers, cycles, missing, human)
