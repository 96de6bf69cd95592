"""The merging half of integration: a checked plan is carried out on a draft.

Unites what has no ids (constraints, questions, answers), appends new items, and
ends what the contribution supersedes, within the limits of revision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from cso import graph, model
from cso.altered import altered
from cso.errors import ConflictError, EscalationRequired
from cso.invalidate import affected_by, mark_dependents
from cso.lineage import revisions_of
from cso.model import CognitiveStateObject, Decision, Fact, Item, Record, RecordKind, Status

if TYPE_CHECKING:
    from cso.opaque import JsonObject

__all__ = ["Merge", "Plan", "absorbed"]


_HUMAN = "the contribution revises what only a human may"


@define
class Plan:
    """What a contribution would write: new items, and who supersedes whom."""

    new: list[Item] = field(factory=list)
    ends: dict[str, Item] = field(factory=dict)
    rests: set[str] = field(factory=set)
    records: list[Record] = field(factory=list)


@define
class Merge:
    """The draft with the contribution in it, and the items marked on the way."""

    cso: CognitiveStateObject
    affected: dict[str, None] = field(factory=dict)


def absorbed(
    draft: CognitiveStateObject, contribution: CognitiveStateObject, plan: Plan, limit: int
) -> Merge:
    """Apply the plan and unite everything else."""
    merge = Merge(draft)
    for name, item in plan.ends.items():
        _supersede(merge, name, item, contribution, limit)
    cso = merge.cso
    answered = {entry.question: entry for entry in contribution.resolved_questions}
    known = {entry.question for entry in cso.resolved_questions}
    questions = dict.fromkeys((*cso.open_questions, *contribution.open_questions))
    pairs = set(graph.pairs(cso, tools=False))
    window = max((item.window_origin for item in plan.new), default=0)
    merge.cso = altered(
        cso,
        window_number=max(cso.window_number, window),
        established_facts=(*cso.established_facts, *(i for i in plan.new if isinstance(i, Fact))),
        decisions=(*cso.decisions, *(i for i in plan.new if isinstance(i, Decision))),
        dependency_graph=(
            *cso.dependency_graph,
            *(e for e in contribution.dependency_graph if (e.dependent, e.depends_on) not in pairs),
        ),
        open_questions=tuple(q for q in questions if q not in answered and q not in known),
        constraints=tuple(dict.fromkeys((*cso.constraints, *contribution.constraints))),
        resolved_questions=(
            *cso.resolved_questions,
            *(entry for question, entry in answered.items() if question not in known),
        ),
        revisions=(*cso.revisions, *plan.records),
        ext=_ext(cso, contribution),
    )
    for item in plan.new:
        if item.supersedes is not None and revisions_of(merge.cso, item.id) > limit:
            raise EscalationRequired(_HUMAN, at=item.id)
    return merge


def _supersede(
    merge: Merge, name: str, new: Item, contribution: CognitiveStateObject, limit: int
) -> None:
    """End one item, mark its dependents and record it, within the limits of revision."""
    old = merge.cso.items()[name]
    number = revisions_of(merge.cso, name) + 1
    if number > limit or (isinstance(old, Decision) and not old.revisable):
        raise EscalationRequired(_HUMAN, at=name)
    found = affected_by(merge.cso, name)
    affected = tuple(name for name in found.order if name != new.id)
    merge.affected.update(dict.fromkeys(affected))
    draft = mark_dependents(merge.cso, affected)
    draft = mark_dependents(draft, (name,), Status.SUPERSEDED, model.LIVE | {Status.ESCALATED})
    facts = tuple(_ended(f, name, new.id) for f in draft.established_facts)
    decisions = tuple(_ended(d, name, new.id) for d in draft.decisions)
    theirs = (r for r in contribution.revisions if (r.target, r.superseded_by) == (name, new.id))
    because = next((record.because for record in theirs), "")
    record = Record(
        target=name,
        superseded_by=new.id,
        because=because,
        window=new.window_origin,
        number=number,
        affected=affected,
        kind=RecordKind.REVISION,
    )
    merge.cso = altered(
        draft,
        established_facts=facts,
        decisions=decisions,
        revisions=(*draft.revisions, record),
    )


def _ended(item: model.ItemT, name: str, by: str) -> model.ItemT:
    return altered(item, superseded_by=by) if item.id == name else item


def _ext(cso: CognitiveStateObject, contribution: CognitiveStateObject) -> JsonObject:
    added = {name: value for name, value in contribution.ext.items() if name != "crp"}
    for name, value in added.items():
        if name in cso.ext and cso.ext[name] != value:
            raise ConflictError("both hold it, with other content", at=f"ext.{name}")
    return cso.ext.joined(**added) if added else cso.ext
