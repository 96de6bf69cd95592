"""Integration: a micro-task's contribution joins the session state (S30 §7.2, R36).

All or nothing. The contribution names the tag it was made from; what changed
since must not touch what it writes or rests on, else `ConflictError` (optimistic
concurrency). Disjoint contributions give the same object in either order, and
the same one twice changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, marks, references
from cso.absorb import Plan, absorbed
from cso.altered import altered
from cso.codec import body_digest
from cso.encode import item_digest
from cso.errors import ConflictError
from cso.invalidate import affected_by
from cso.lineage import head
from cso.marks import crp, opened
from cso.merge import KINDS, Brought, brought_ids, ordered, owners
from cso.model import CognitiveStateObject, Decision, Item, Record, Status
from cso.preserve import preservation
from cso.revise import MAX_REVISIONS
from cso.seal import parents_of

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Integration", "integrate"]


@frozen
class Integration:
    """What came in: ids added, ids superseded, ids then marked, and what dangles.

    Attributes:
        added: The ids that came in.
        superseded: The ids whose place they took.
        affected: The ids marked for it.
        dangling: The ids that nothing holds.
        unchanged: Whether nothing was new.
    """

    added: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    dangling: tuple[str, ...] = ()
    unchanged: bool = False


def integrate(
    cso: CognitiveStateObject,
    contribution: CognitiveStateObject,
    *,
    base: str,
    verify: bool = True,
    history: Mapping[str, CognitiveStateObject] | None = None,
    limit: int = MAX_REVISIONS,
) -> tuple[CognitiveStateObject, Integration]:
    """Merge a contribution into `cso`.

    `base` is the tag of the object it was made from: the current one, the one a
    draft continues, or an ancestor given in `history` by tag. New ids should be
    namespaced by window and branch (`ext.crp.branch` names it). With `verify`,
    references that nothing holds and supports that no longer hold are refused.
    Raises `ConflictError`, `CycleError` or `EscalationRequired`; then nothing
    has changed.
    """
    key = f"{crp(contribution).get('branch', '')}:{body_digest(contribution)[:32]}"
    if key in marks.merged(cso):
        return cso, Integration(unchanged=True)
    plan = _plan(cso, contribution)
    _unmoved(cso, base, history or {}, plan)
    merged = absorbed(opened(cso), contribution, plan, limit)
    brought = _brought(cso, contribution, plan)
    if merged.cso == opened(cso):
        return cso, Integration(unchanged=True)
    result = ordered(references.completed(merged.cso), key, brought)
    graph.refuse_cycles(result, [(a, b) for a, b in brought["edges"]])
    if verify:
        _verified(cso, result, plan)
    added = tuple(item.id for item in plan.new)
    done = Integration(added, tuple(plan.ends), tuple(merged.affected), references.dangling(result))
    return result, done


def _plan(cso: CognitiveStateObject, contribution: CognitiveStateObject) -> Plan:
    items = cso.items()
    given: tuple[Item, ...] = (*contribution.established_facts, *contribution.decisions)
    plan = Plan([item for item in given if item.id not in items])
    for item in plan.new:
        if item.supersedes is not None and item.supersedes.id in items:
            old = items[item.supersedes.id]
            if item_digest(old) != item.supersedes.digest:
                what = f"{old.id} is no longer what {item.id} supersedes"
                raise ConflictError(what, at=old.id)
            plan.ends[old.id] = item
    for item in given:
        mine = items.get(item.id)
        if mine is not None and not _same(mine, item, items, plan):
            what = f"id {item.id!r:.140} is there already with other content"
            raise ConflictError(what, at=item.id)
    plan.records = _accounted(cso, contribution, plan)
    names = {item.id for item in plan.new}
    plan.rests = {on for dependent, on in graph.pairs(contribution) if dependent in names}
    return plan


def _accounted(
    cso: CognitiveStateObject, contribution: CognitiveStateObject, plan: Plan
) -> list[Record]:
    """Give the records of the contribution's own items; refuse any but those."""
    known = set(cso.revisions)
    ends = {(name, item.id) for name, item in plan.ends.items()}
    names = {item.id for item in plan.new}
    own: list[Record] = []
    for record in contribution.revisions:
        if record.target in names:
            own.append(record)
        elif record not in known and (record.target, record.superseded_by) not in ends:
            what = f"its record {record.kind.value} of {record.target} is for the state itself"
            raise ConflictError(what, at=record.target)
    return own


def _same(mine: Item, item: Item, items: Mapping[str, Item], plan: Plan) -> bool:
    """Tell whether an item that is there already says nothing new."""
    if type(mine) is not type(item):
        return False
    if mine == item:
        return True
    end = plan.ends.get(mine.id)
    if end is not None:
        return altered(mine, status=Status.SUPERSEDED, superseded_by=end.id) == item
    if isinstance(mine, Decision):  # a slice points it at what stands for its supports
        rests = tuple(dict.fromkeys(head(items, name) for name in mine.depends_on))
        return altered(mine, depends_on=rests) == item
    return False


def _unmoved(
    cso: CognitiveStateObject,
    base: str,
    history: Mapping[str, CognitiveStateObject],
    plan: Plan,
) -> None:
    """Refuse a base that is unknown, or behind changes that the contribution touches."""
    if base == cso.cso_hmac:
        return
    if not cso.cso_hmac and base in parents_of(cso):
        changed = _changed_in_draft(cso)
    elif base in history:
        changed = _changed_since(history[base], cso)
    else:
        raise ConflictError("the base is neither the current tag nor a known ancestor", at="base")
    touched = {item.id for item in plan.new} | plan.rests | set(plan.ends)
    for name in plan.ends:
        touched |= affected_by(cso, name).affected
    both = sorted(touched & changed)
    if both:
        raise ConflictError(f"changed since the base: {', '.join(both[:5])}", at=both[0])


def _changed_in_draft(cso: CognitiveStateObject) -> set[str]:
    changed = brought_ids(cso)
    for record in cso.revisions:
        if record.window == cso.window_number:
            changed.update((record.target, record.superseded_by, *record.affected))
    return changed


def _changed_since(old: CognitiveStateObject, cso: CognitiveStateObject) -> set[str]:
    before = old.items()
    return {name for name, item in cso.items().items() if before.get(name) != item}


def _brought(cso: CognitiveStateObject, contribution: CognitiveStateObject, plan: Plan) -> Brought:
    """Name what the contribution brought, also where another one brought it before."""
    given = {
        "items": (*contribution.established_facts, *contribution.decisions),
        "edges": references.completed(contribution).dependency_graph,
        "open_questions": contribution.open_questions,
        "constraints": contribution.constraints,
        "resolved_questions": contribution.resolved_questions,
        "revisions": (),
    }
    mine: dict[str, set[object]] = {
        "items": set(cso.items()),
        "edges": set(graph.pairs(cso, tools=False)),
        "open_questions": set(cso.open_questions),
        "constraints": set(cso.constraints),
        "resolved_questions": {entry.question for entry in cso.resolved_questions},
        "revisions": set(),
    }
    brought: Brought = {}
    for kind, entries in given.items():
        owned = owners(cso, kind)
        names = [KINDS[kind](entry) for entry in entries]
        new = [name for name in names if name not in mine[kind] or name in owned]
        brought[kind] = [list(name) if isinstance(name, tuple) else name for name in new]
    ends = {name: item.id for name, item in plan.ends.items()}
    brought["superseded"] = sorted(ends)
    own = [str(KINDS["revisions"](record)) for record in plan.records]
    brought["revisions"] = [f"REVISION {name} {new}" for name, new in ends.items()] + own
    return brought


def _verified(cso: CognitiveStateObject, result: CognitiveStateObject, plan: Plan) -> None:
    """Refuse what would not survive verification."""
    found = preservation(cso, result)
    if found.kept < found.valid_prior:
        raise ConflictError(f"facts would be lost: {', '.join(found.dropped[:5])}", at="facts")
    absent = set(references.dangling(result)) - set(references.dangling(cso))
    if absent:
        first = min(absent)
        raise ConflictError(f"rests on {first!r:.140}, which nothing holds", at=first)
    names = {item.id for item in plan.new}
    for dependent, name in references.broken(result):
        if dependent in names:
            raise ConflictError(f"{dependent} rests on {name}, which no longer holds", at=name)
