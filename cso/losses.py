"""What a new object lost of its prior, exactly (R19-R21).

A loss is state of the prior that the new object neither holds nor accounts for.
What accounts for it is a record that the new object adds: a revision or an
invalidation that names the item, a reaffirmation, an advance, an answer. What had
ended before is state, too: it stays, as it was, until it is archived (R4).
Verification reports these losses and repair undoes them; both read them here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, model
from cso.altered import altered
from cso.marks import archived
from cso.model import CognitiveStateObject, RecordKind
from cso.preserve import Preservation, preservation
from cso.records import Records
from cso.tokens import HELD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Carried", "Losses", "edge_pairs_lost", "losses", "same_decision"]


ARCHIVED = "crp.archived"
"""Name under which lost stubs are reported."""


@frozen
class Carried:
    """How much of one kind came along: kept of total, and what did not."""

    kept: int
    total: int
    lost: tuple[str, ...] = ()


@frozen
class Losses:
    """Everything of the prior that the new object lost, by kind."""

    preservation: Preservation
    decisions: Carried
    ended: Carried
    constraints: Carried
    open_questions: Carried
    resolved_questions: Carried
    revisions: Carried
    edges: Carried
    remaining: Carried
    ext: Carried
    statuses: tuple[str, ...]
    goal: tuple[str, ...]

    def carried(self) -> dict[str, Carried]:
        """Map each kind but facts to its figures."""
        names = ("decisions", "ended", "constraints", "open_questions", "resolved_questions")
        more = ("revisions", "edges", "remaining", "ext")
        return {name: getattr(self, name) for name in (*names, *more)}

    def any(self) -> bool:
        """Tell whether anything at all was lost."""
        return bool(
            self.preservation.kept < self.preservation.valid_prior
            or any(carried.lost for carried in self.carried().values())
            or self.statuses
            or self.goal
        )


def losses(prior: CognitiveStateObject, new: CognitiveStateObject) -> Losses:
    """Compare a new object with its prior."""
    records = Records(prior, new)
    answered = {entry.question for entry in new.resolved_questions}
    return Losses(
        preservation(prior, new),
        _decisions(prior, new, records),
        _ended(prior, new),
        _carried(prior.constraints, set(new.constraints)),
        _carried(prior.open_questions, answered.union(new.open_questions)),
        _carried((entry.question for entry in prior.resolved_questions), answered),
        _revisions(prior, new),
        _edges(prior, new, records),
        _carried(prior.goal_state.remaining, records.advanced().union(new.goal_state.remaining)),
        _ext(prior, new),
        tuple(_statuses(prior, new, records)),
        tuple(_goal(prior, new, records)),
    )


def _carried(old: Iterable[str], present: set[str]) -> Carried:
    entries = tuple(old)
    lost = tuple(entry for entry in entries if entry not in present)
    return Carried(len(entries) - len(lost), len(entries), lost)


def _ext(prior: CognitiveStateObject, new: CognitiveStateObject) -> Carried:
    """Compare foreign namespaces, and the stubs of what was archived."""
    names = [name for name in prior.ext if name != "crp"]
    stubs = archived(prior)
    kept = set(new.ext)
    if stubs:
        names.append(ARCHIVED)
        kept.update([ARCHIVED] if stubs.keys() <= archived(new).keys() else ())
    return _carried(names, kept)


def _revisions(prior: CognitiveStateObject, new: CognitiveStateObject) -> Carried:
    present = set(new.revisions)
    lost = tuple(record.target for record in prior.revisions if record not in present)
    return Carried(len(prior.revisions) - len(lost), len(prior.revisions), lost)


def same_decision(old: model.Decision, new: model.Decision, *, moved: bool) -> bool:
    """Tell whether a decision is carried with its reasons; `moved` frees its supports."""
    return (
        old.choice == new.choice
        and old.rationale == new.rationale
        and old.alternatives == new.alternatives
        and old.revisable == new.revisable
        and old.provenance == new.provenance
        and old.provenance_ref == new.provenance_ref
        and (moved or old.depends_on == new.depends_on)
    )


def _decisions(prior: CognitiveStateObject, new: CognitiveStateObject, records: Records) -> Carried:
    present = {decision.decision_id: decision for decision in new.decisions}
    kept, lost = 0, []
    for old in prior.decisions:
        name = old.decision_id
        decision = present.get(name)
        ended = decision is None or decision.status not in HELD
        if old.status not in HELD or (ended and records.ends(name)):
            continue
        if decision is not None and same_decision(old, decision, moved=records.moves(name)):
            kept += 1
        else:
            lost.append(name)
    return Carried(kept, kept + len(lost), tuple(lost))


def _ended(prior: CognitiveStateObject, new: CognitiveStateObject) -> Carried:
    """Compare what had ended before; its status is asked for elsewhere."""
    dead = {name: item for name, item in prior.items().items() if item.status not in HELD}
    if not dead:
        return Carried(0, 0)
    items, stubs = new.items(), archived(new)
    lost = tuple(
        name
        for name, old in dead.items()
        if name not in stubs and not _is_still(old, items.get(name))
    )
    return Carried(len(dead) - len(lost), len(dead), lost)


def _is_still(old: model.Item, new: model.Item | None) -> bool:
    if new is None or type(new) is not type(old):
        return False
    return new is old or altered(new, status=old.status) == old


def _edges(prior: CognitiveStateObject, new: CognitiveStateObject, records: Records) -> Carried:
    total = len(set(graph.pairs(prior, tools=False)))
    lost = edge_pairs_lost(prior, new, records)
    return Carried(total - len(lost), total, tuple(f"{a} -> {b}" for a, b in lost))


def edge_pairs_lost(
    prior: CognitiveStateObject, new: CognitiveStateObject, records: Records
) -> tuple[tuple[str, str], ...]:
    """List (dependent, depends_on) of the prior that are gone without account.

    An edge may go with a dependent that ended, or move when it is reaffirmed.
    """
    present = set(graph.pairs(new, tools=False))
    items = new.items()
    over = {name for name, item in prior.items().items() if item.status not in HELD}
    over.update(archived(new))
    return tuple(
        pair
        for pair in dict.fromkeys(graph.pairs(prior, tools=False))
        if pair not in present
        and not records.moves(pair[0])
        and not (pair[0] not in items and (pair[0] in over or records.ends(pair[0])))
    )


def _statuses(
    prior: CognitiveStateObject, new: CognitiveStateObject, records: Records
) -> Iterator[str]:
    """Yield ids whose status changed with no record that allows it."""
    items = new.items()
    for name, old in prior.items().items():
        item = items.get(name)
        if item is None or item is old or item.status is old.status:
            continue
        if not records.allows(name, item.status):
            yield name


def _goal(
    prior: CognitiveStateObject, new: CognitiveStateObject, records: Records
) -> Iterator[str]:
    """Yield the members of the goal that were changed or emptied without account."""
    old, goal = prior.goal_state, new.goal_state
    if old.mode is not goal.mode and not records.has(RecordKind.MODE):
        yield "mode"
    for name in ("objective", "success_test"):
        if getattr(old, name) and not getattr(goal, name):
            yield name
