"""What a window adds, as a capsule: for pushes and changes that come without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from cso import LIVE, Decision, Status
from cso.altered import altered
from cso.opaque import EMPTY
from pcsf_lark.passes.cso_fitting import BudgetError
from pcsf_lark.passes.from_cso import from_cso

if TYPE_CHECKING:
    from cso import CognitiveStateObject, Fact
    from cso.model import Item
    from pcsf_lark.model import Capsule

__all__ = ["gift"]


def gift(
    before: CognitiveStateObject | None,
    after: CognitiveStateObject,
    old: Capsule | None,
    now: str,
) -> Capsule | None:
    """A capsule of what ``after`` has and ``before`` had not; None where that is nothing.

    ``old`` is the head capsule so far: its topic and SEED go on where the objective
    is the same. Constraints are left to who composes the head.
    """
    there = before.items() if before else {}
    questions = set(before.open_questions) if before else set()
    remaining = set(before.goal_state.remaining) if before else set()
    fresh = [item for item in after.items().values() if _is_new(item, there)]
    same = before is not None and before.goal_state.objective == after.goal_state.objective
    goal = after.goal_state
    part = altered(
        after,
        window_number=1,
        prior_cso_hash="",
        cso_hmac="",
        established_facts=tuple(i for i in fresh if not isinstance(i, Decision)),
        decisions=tuple(i for i in fresh if isinstance(i, Decision)),
        open_questions=tuple(q for q in after.open_questions if q not in questions),
        constraints=(),
        dependency_graph=(),
        goal_state=altered(goal, remaining=tuple(r for r in goal.remaining if r not in remaining)),
        ext=EMPTY,
    )
    has_any = fresh or part.open_questions or part.goal_state.remaining
    if not has_any and (same or not goal.objective):
        return None
    domain = old.meta.domain if old else "general"
    try:
        made = from_cso(part, domain=domain, timestamp=now).capsule
    except BudgetError:
        return None  # it has no constraints, so this is a SEED that does not fit
    if old is None or not same:
        return made
    meta = evolve(old.meta, timestamp=now)
    return evolve(made, meta=meta, seed=old.seed)


def _is_new(item: Item, there: dict[str, Item]) -> bool:
    """Whether an item is new and holds, or has now been superseded by one that is."""
    if item.id not in there:
        return item.status in LIVE
    old: Fact | Decision = there[item.id]
    return item.status is Status.SUPERSEDED and old.status is not Status.SUPERSEDED
