"""Invalidation: one item falls, and everything that rests on it is marked (R31).

The root fact becomes INVALIDATED, a root decision NEEDS_REVISION; dependents
become NEEDS_REVISION and are never invalidated outright, for they may stand on
other grounds. The walk is iterative and linear, and ends on any graph.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from attrs import field, frozen

from cso import graph, model, references
from cso.altered import altered, marked
from cso.components import components
from cso.errors import UnknownIdError
from cso.marks import opened
from cso.model import CognitiveStateObject, Record, RecordKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cso.graph import Reach

__all__ = [
    "Invalidation",
    "affected_by",
    "invalidate",
    "mark_dependents",
    "on_contradiction_resolved",
    "report_of",
]


@frozen
class Invalidation:
    """What an invalidation reached, nearest first.

    `affected` never holds the root, also where the root is in a cycle; `dangling`
    are the reached ids that nothing holds, `needs_human` the reached decisions that
    may not be revised.

    Attributes:
        root: The id that fell.
        cycles: The cycles met on the way.
    """

    root: str
    affected: tuple[str, ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    dangling: tuple[str, ...] = ()
    needs_human: tuple[str, ...] = ()
    _reach: Reach = field(kw_only=True, eq=False, repr=False)

    @property
    def layers(self) -> tuple[tuple[str, ...], ...]:
        """`affected` by distance."""
        return self._reach.layers


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

    >>> from cso import CognitiveStateObject, Decision, Fact, GoalState, invalidate
    >>> cpu = Fact(fact_id="cpu", statement="CPU is at 87%", provenance="USER",
    ...     confidence=0.9, window_origin=1)
    >>> scale = Decision(decision_id="scale", choice="5 nodes", rationale="87% is much",
    ...     depends_on=["cpu"], window_origin=1)
    >>> state = CognitiveStateObject(cso_id="s", window_number=1,
    ...     goal_state=GoalState(mode="AGENTIC"), established_facts=[cpu], decisions=[scale])
    >>> state, report = invalidate(state, "cpu", "the probe was broken")
    >>> report.affected, state.items()["scale"].status.value
    (('scale',), 'NEEDS_REVISION')
    """
    rows = graph.dependents(cso)
    found = graph.reach(rows, name)
    root = _item(cso, name)
    if root is None:
        if strict:
            raise UnknownIdError(f"no item {name!r:.140}; nothing was changed", at=name)
        return cso, report_of(cso, found, rows)
    report = report_of(cso, found, rows)
    status = Status.INVALIDATED if isinstance(root, model.Fact) else Status.NEEDS_REVISION
    if status is Status.NEEDS_REVISION and root.status not in model.LIVE:
        status = root.status
    changed = mark_dependents(cso, found.affected)
    if root.status is not status:
        changed = mark_dependents(changed, (name,), status, frozenset({root.status}))
    if changed is cso:
        return cso, report
    draft = opened(changed)
    record = Record(
        target=name,
        because=reason,
        window=draft.window_number,
        kind=RecordKind.INVALIDATION,
    )
    record = altered(record, affected=report.affected)  # ids checked long ago
    return references.completed(altered(draft, revisions=(*draft.revisions, record))), report


def _item(cso: CognitiveStateObject, name: str) -> model.Item | None:
    for fact in cso.established_facts:
        if fact.fact_id == name:
            return fact
    return next((d for d in cso.decisions if d.decision_id == name), None)


_HOLDING = frozenset({Status.VALID, Status.STALE})


def mark_dependents(
    cso: CognitiveStateObject,
    affected: Iterable[str],
    status: Status = Status.NEEDS_REVISION,
    holding: frozenset[Status] = _HOLDING,
) -> CognitiveStateObject:
    """Set the status of the items named, where theirs is one of `holding`."""
    names = affected if isinstance(affected, frozenset) else frozenset(affected)
    old_facts, old_decisions = cso.established_facts, cso.decisions
    ids = map(attrgetter("fact_id"), old_facts)
    picked = [n for n, name in enumerate(ids) if name in names]
    picked = [n for n in picked if old_facts[n].status in holding]
    facts = marked(old_facts, status, picked)
    ids = map(attrgetter("decision_id"), old_decisions)
    picked = [n for n, name in enumerate(ids) if name in names]
    picked = [n for n in picked if old_decisions[n].status in holding]
    decisions = marked(old_decisions, status, picked)
    if facts is old_facts and decisions is old_decisions:
        return cso
    return altered(cso, established_facts=facts, decisions=decisions)


def report_of(cso: CognitiveStateObject, found: Reach, rows: graph.Rows) -> Invalidation:
    """Turn a walk into a report, with the cycles it met."""
    affected = found.order
    cycles: tuple[tuple[str, ...], ...] = ()
    if not found.acyclic:
        nodes = {found.root, *affected}
        inner = {node: [n for n in rows.get(node, ()) if n in nodes] for node in nodes}
        # Rows point to dependents; a cycle reads the other way, as who rests on whom.
        cycles = tuple(tuple(reversed(cycle)) for cycle in components(inner).cycles)
    reached = found.affected
    absent = reached.difference([fact.fact_id for fact in cso.established_facts])
    absent = absent.difference([decision.decision_id for decision in cso.decisions])
    missing = tuple(name for name in affected if name in absent) if absent else ()
    human = tuple(
        decision.decision_id
        for decision in cso.decisions
        if not decision.revisable
        and decision.status in model.LIVE
        and (decision.decision_id in reached or decision.decision_id == found.root)
    )
    return Invalidation(found.root, affected, cycles, missing, human, reach=found)


def on_contradiction_resolved(
    cso: CognitiveStateObject, loser: str, winner: str, *, because: str = ""
) -> tuple[CognitiveStateObject, Invalidation]:
    """Take in a CONTRADICTION_RESOLVED event: the losing item is invalidated (A32).

    That an item was only suppressed at retrieval is no reason to call this.
    """
    reason = f"contradiction resolved for {winner}" + (f": {because}" if because else "")
    return invalidate(cso, loser, reason)
