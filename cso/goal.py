"""The window contract (S30 §4): one structure, a builder for each mode (R38)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso.altered import altered
from cso.errors import GoalError, UnknownIdError
from cso.invalidate import affected_by
from cso.lineage import head
from cso.marks import opened
from cso.model import (
    CognitiveStateObject,
    Decision,
    GoalState,
    Mode,
    Record,
    RecordKind,
    Resolved,
    says,
)
from cso.rules import row

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "RevisionWindow",
    "advance",
    "agentic",
    "answer",
    "conversation",
    "document",
    "revision_window",
    "tool",
    "with_goal",
]

GOAL = "goal_state"
"""Target of records about the goal."""


def _counted(mode: Mode, objective: str, left: Iterable[str], test: str) -> GoalState:
    """Build a goal that tracks how many entries it began with."""
    remaining = tuple(left)
    return GoalState(
        mode=mode,
        objective=objective,
        remaining=remaining,
        success_test=test,
        completion=0.0,
        total=len(remaining),
    )


def document(section: int | str, sections: Iterable[str]) -> GoalState:
    """Contract for writing one section; `sections` are those not yet written."""
    what = f"write section {section}"
    return _counted(Mode.DOCUMENT, what, sections, "section covers required sub-topics")


def conversation(turn: str, threads: Iterable[str] = ()) -> GoalState:
    """Contract for answering a turn; `threads` are the open thread questions."""
    what = f"answer the user's turn: {turn}"
    return _counted(Mode.CONVERSATION, what, threads, "user's intent addressed")


def tool(result: str, pending: Iterable[str] = ()) -> GoalState:
    """Contract for using a tool result; `pending` are unprocessed outputs."""
    what = f"use tool result to advance task: {result}"
    return _counted(Mode.TOOL, what, pending, "result correctly incorporated")


def agentic(task: str, subtasks: Iterable[str] = ()) -> GoalState:
    """Contract for a sub-task; `subtasks` are those not completed."""
    what = f"complete sub-task {task}"
    return _counted(Mode.AGENTIC, what, subtasks, "sub-task verification passes")


def with_goal(
    cso: CognitiveStateObject, goal: GoalState, *, because: str = ""
) -> CognitiveStateObject:
    """Give the object another goal; a change of mode is recorded."""
    draft = opened(cso)
    if goal.mode is not cso.goal_state.mode:
        record = Record(
            target=GOAL,
            because=because or f"{cso.goal_state.mode.value} to {goal.mode.value}",
            window=draft.window_number,
            kind=RecordKind.MODE,
        )
        draft = altered(draft, revisions=(*draft.revisions, record))
    return altered(draft, goal_state=goal)


def advance(cso: CognitiveStateObject, done: Iterable[str]) -> CognitiveStateObject:
    """Take finished entries off `remaining`, exactly as they stand there.

    Completion becomes done / (done + left) if a builder counted the entries;
    otherwise it stays. Raises `GoalError` for an entry that is not there, `ContentError`
    for one text in place of several.
    """
    goal = cso.goal_state
    finished = row(done)
    left = list(goal.remaining)
    for entry in finished:
        if entry not in left:
            hint = f"; remaining: {list(goal.remaining)}"[:200]
            raise GoalError(f"no entry {entry!r:.80}{hint}", at="goal_state.remaining")
        left.remove(entry)
    if not finished:
        return cso
    changes: dict[str, object] = {"remaining": tuple(left)}
    if goal.total > 0 and goal.total >= len(left):
        changes["completion"] = (goal.total - len(left)) / goal.total
    draft = opened(cso)
    record = Record(
        target=GOAL, window=draft.window_number, affected=finished, kind=RecordKind.ADVANCE
    )
    return altered(
        draft,
        goal_state=altered(goal, **changes),
        revisions=(*draft.revisions, record),
    )


def answer(cso: CognitiveStateObject, question: str, ref: str) -> CognitiveStateObject:
    """Move an open question to the resolved ones, with where its answer is.

    Raises `UnknownIdError` for a question that is not open.
    """
    if question not in cso.open_questions:
        raise UnknownIdError(f"no open question {question!r:.80}", at="open_questions")
    draft = opened(cso)
    done = Resolved(question=question, answer_ref=ref, window=draft.window_number)
    return altered(
        draft,
        open_questions=tuple(entry for entry in draft.open_questions if entry != question),
        resolved_questions=(*draft.resolved_questions, done),
    )


@frozen
class RevisionWindow:
    """What a revision window is given: its goal, and the context it decides in.

    Attributes:
        goal: Its contract.
        choice: The decision as it stands.
        rationale: Its reason.
        alternatives: What was not chosen then.
        new_fact: What calls it into question.
        dependents: What would fall with it.
    """

    goal: GoalState
    choice: str
    rationale: str
    alternatives: tuple[str, ...]
    new_fact: str
    dependents: tuple[str, ...]


def revision_window(cso: CognitiveStateObject, target: str, because: str) -> RevisionWindow:
    """Build the window that revises `target` (S30 §6.2, R29).

    `because` is the id of the new fact, or its text. A superseded target stands
    for the head of its line; a fact's statement is the `choice`. Raises
    `UnknownIdError`.
    """
    items = cso.items()
    if target not in items:
        raise UnknownIdError(f"no item {target!r:.140} to revise", at=target)
    old = items[head(items, target)]
    reason = items.get(because)
    decision = isinstance(old, Decision)
    return RevisionWindow(
        GoalState(
            mode=Mode.AGENTIC,
            objective=f"revise {'decision' if decision else 'fact'} {old.id} given new fact {because}",
            remaining=(old.id,),
            success_test="the revision gives its rationale and rests on what holds",
        ),
        says(old),
        old.rationale if isinstance(old, Decision) else "",
        old.alternatives if isinstance(old, Decision) else (),
        says(reason) if reason is not None else because,
        affected_by(cso, old.id).order,
    )
