"""Repair: put back what a new object lost of its prior (R21).

Prior entries come first, in their order, then what is new. What a record of this
window ended, or an answer resolved, stays out; what had ended before stays in, ended. Repairing twice is repairing once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from cso import model, references
from cso.altered import altered
from cso.errors import ConflictError
from cso.losses import ARCHIVED, Losses, edge_pairs_lost, losses
from cso.marks import archived, crp
from cso.records import Records
from cso.tokens import HELD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cso.model import CognitiveStateObject
    from cso.opaque import JsonObject

__all__ = ["Repair", "repair"]

ItemT = TypeVar("ItemT", bound=model.Item)


@frozen
class Repair:
    """What was put back: the number of facts, and every entry by kind.

    Attributes:
        facts: How many facts came back.
        restored: Every entry that came back, by kind.
    """

    facts: int
    restored: dict[str, tuple[str, ...]]


def repair(
    prior: CognitiveStateObject, new: CognitiveStateObject
) -> tuple[CognitiveStateObject, Repair]:
    """Give `new` with everything it lost of `prior`, and what that was.

    Without a loss `new` comes back as it is. Raises `ConflictError` (code
    `duplicate-id`) if a lost fact's id is taken by a decision, or the other way.
    """
    found = losses(prior, new)
    if not found.any():
        return new, Repair(0, {})
    records = Records(prior, new)
    # Not `opened`: the repaired object takes the place of `new`, not the next one.
    draft = altered(new, cso_hmac="", verified=False)
    wrong = {*found.statuses}
    lost_facts = {*found.preservation.dropped, *found.preservation.drifted}
    lost = lost_facts.union(found.decisions.lost, found.ended.lost)
    facts = _items(prior.established_facts, new.established_facts, lost, wrong)
    decisions = _items(prior.decisions, new.decisions, lost, wrong)
    _distinct(facts, decisions)
    fixed = altered(
        draft,
        established_facts=facts,
        decisions=decisions,
        constraints=_merged(prior.constraints, new.constraints),
        open_questions=_merged(found.open_questions.lost, new.open_questions, prior.open_questions),
        resolved_questions=_resolved(prior, new),
        revisions=_merged(prior.revisions, new.revisions),
        goal_state=_goal(prior, new, found),
        ext=_ext(prior, new, found),
    )
    pairs = edge_pairs_lost(prior, fixed, records)
    kept = {(edge.dependent, edge.depends_on): edge for edge in prior.dependency_graph}
    again = tuple(kept.get(pair) or model.Edge(*pair) for pair in pairs)
    whole = altered(fixed, dependency_graph=(*fixed.dependency_graph, *again))
    return references.completed(whole), _report(found, lost_facts)


def _report(found: Losses, lost_facts: set[str]) -> Repair:
    restored = {name: carried.lost for name, carried in found.carried().items()}
    restored["facts"] = (*found.preservation.dropped, *found.preservation.drifted)
    restored["statuses"] = found.statuses
    restored["goal_state"] = found.goal
    return Repair(len(lost_facts), {name: lost for name, lost in restored.items() if lost})


def _items(
    old: Sequence[ItemT], new: Sequence[ItemT], lost: set[str], wrong: set[str]
) -> tuple[ItemT, ...]:
    """Merge by id, prior first; lost items come back as they were."""
    present = {item.id: item for item in new}
    merged: list[ItemT] = []
    for item in old:
        mine = present.pop(item.id, None)
        if mine is None:
            if item.id in lost:
                merged.append(item)
            continue
        back = item if item.id in lost else mine
        merged.append(_with_status(back, item, mine, trusted=item.id not in wrong))
    return (*merged, *present.values())


def _with_status(back: ItemT, old: ItemT, mine: ItemT, *, trusted: bool) -> ItemT:
    """Choose between the recorded new status and the prior one."""
    source = mine if trusted and (mine.status in HELD or back is mine) else old
    if back.status is source.status and back.superseded_by == source.superseded_by:
        return back
    return altered(back, status=source.status, superseded_by=source.superseded_by)


def _distinct(facts: Iterable[model.Fact], decisions: Iterable[model.Decision]) -> None:
    names = {fact.fact_id for fact in facts}
    for decision in decisions:
        if decision.decision_id in names:
            what = f"duplicate id {decision.decision_id!r:.80}: a fact and a decision"
            raise ConflictError(what, code="duplicate-id", at=decision.decision_id)


T = TypeVar("T")


def _merged(back: Iterable[T], new: Iterable[T], order: Iterable[T] = ()) -> tuple[T, ...]:
    """Merge without repeats: in the order given first, then in that of `new`."""
    wanted = dict.fromkeys((*back, *new))
    return tuple(dict.fromkeys((*(entry for entry in order if entry in wanted), *wanted)))


def _resolved(prior: CognitiveStateObject, new: CognitiveStateObject) -> tuple[model.Resolved, ...]:
    answered = {entry.question: entry for entry in new.resolved_questions}
    first = [answered.pop(entry.question, entry) for entry in prior.resolved_questions]
    return (*first, *answered.values())


def _goal(prior: CognitiveStateObject, new: CognitiveStateObject, found: Losses) -> model.GoalState:
    old, goal = prior.goal_state, new.goal_state
    changes = {name: getattr(old, name) for name in found.goal}
    if found.remaining.lost:
        changes["remaining"] = _merged(found.remaining.lost, goal.remaining, old.remaining)
    return altered(goal, **changes) if changes else goal


def _ext(prior: CognitiveStateObject, new: CognitiveStateObject, found: Losses) -> JsonObject:
    """Give `ext` with foreign namespaces and the stubs of archived items put back."""
    lost = {name: prior.ext[name] for name in found.ext.lost if name != ARCHIVED}
    ext = new.ext.joined(**lost) if lost else new.ext
    if ARCHIVED not in found.ext.lost:
        return ext
    stubs = {**archived(prior), **archived(new)}
    rows = [{"id": name, "digest": stubs[name]} for name in sorted(stubs)]
    return ext.joined(crp={**crp(new), "archived": rows})
