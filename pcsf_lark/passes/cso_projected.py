"""What no capsule has shown yet, as lines: constraints, decisions, facts, rejected paths.

In this order of value; facts by how much rests on them, then by confidence, then
the newer first. What does not plainly hold is an uncertainty (L3); what remains
to be done and asked is a loop (L5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso import LIVE, Decision, RecordKind, Status
from cso.graph import dependents
from cso.lineage import head
from pcsf_lark.passes.cso_returned import source_of

if TYPE_CHECKING:
    from cso import Fact
    from pcsf_lark.passes.complement import Complement
    from pcsf_lark.passes.cso_lines import Draft

__all__ = ["projected"]


def projected(draft: Draft, old: Complement | None) -> None:
    """Add the lines of everything that has none yet."""
    _objective(draft, old)
    for text in draft.cso.constraints:
        if ("constraints", text) not in draft.said:
            draft.add("L1", text, "CONSTRAINT", text, "hard constraint", fixed=True)
    returned = {row["id"] for row in old.rows["L2"]} if old else set()
    decisions = [d for d in draft.cso.decisions if d.decision_id not in returned]
    for one in decisions:
        if one.status is Status.VALID and one.decision_id not in draft.done:
            kind = "PIVOT" if one.supersedes else "CHOICE"
            draft.add("L1", one.decision_id, kind, one.choice, one.rationale)
    _facts(draft)
    _rejected(draft, decisions)
    _doubts(draft)
    _loops(draft)


def _objective(draft: Draft, old: Complement | None) -> None:
    """A goal that its capsule had no DIRECTION for, and that is not its topic any more."""
    goal = draft.cso.goal_state.objective
    shown = old is None or any(row.get("of") for row in old.rows["L3"])
    if old is not None and not shown and goal not in {"", old.meta[0]}:
        draft.add("L3", "objective", "DIRECTION", goal)


def _facts(draft: Draft) -> None:
    said = {text for lines in draft.lines.values() for line in lines for text in line.texts}
    open_ = [
        fact
        for fact in draft.cso.established_facts
        if fact.status is Status.VALID
        and fact.fact_id not in draft.done
        and fact.statement not in said
    ]
    if not open_:
        return
    rows = dependents(draft.cso)

    def value(fact: Fact) -> tuple[float, float, int]:
        return -len(set(rows.get(fact.fact_id, ()))), -fact.confidence, -fact.window_origin

    for fact in sorted(open_, key=value):
        draft.add("L1", fact.fact_id, "DISCOVERY", fact.statement, source_of(fact))


def _rejected(draft: Draft, decisions: list[Decision]) -> None:
    """Superseded decisions, then the alternatives of those that hold (L2)."""
    told = {line.entry.values[0] for line in draft.lines["L2"]}
    reasons = {
        record.target: record.because
        for record in draft.cso.revisions
        if record.kind is RecordKind.REVISION and record.because
    }
    for one in decisions:
        if one.status is not Status.SUPERSEDED or one.choice in told:
            continue
        heir = draft.items.get(head(draft.items, one.decision_id))
        lesson = f"replaced by {heir.choice}" if isinstance(heir, Decision) else "replaced"
        because = reasons.get(one.decision_id, one.rationale)
        ground = draft.items.get(because)
        if ground is not None:
            because = ground.choice if isinstance(ground, Decision) else ground.statement
        draft.add("L2", one.decision_id, one.choice, because, lesson)
        told.add(one.choice)
    for one in decisions:
        for option in one.alternatives if one.status is Status.VALID else ():
            if option not in told:
                told.add(option)
                draft.add("L2", one.decision_id, option, one.rationale, f"chosen: {one.choice}")


def _doubts(draft: Draft) -> None:
    """What does not plainly hold (L3)."""
    waiting = LIVE | {Status.ESCALATED}
    for item in draft.items.values():
        doubtful = item.status in waiting and item.status is not Status.VALID
        if doubtful and item.id not in draft.done:
            draft.doubt(item)


def _loops(draft: Draft) -> None:
    for text in dict.fromkeys(draft.cso.goal_state.remaining):
        if ("remaining", text) not in draft.said:
            draft.add("L5", text, "INCOMPLETE_TASK", text, "HIGH")
    for text in draft.cso.open_questions:
        if ("open_questions", text) not in draft.said:
            draft.add("L5", text, "DEFERRED_QUESTION", text, "MED")
