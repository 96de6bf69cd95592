"""A drafted object with what a finished capsule adds: the log's trail, and the reader's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso import Decision, Fact
from cso.altered import altered
from cso.model import says
from pcsf_lark.operations import to_cso
from pcsf_lark.passes.cso_text import escaped
from pcsf_lark.passes.to_cso import RULED_OUT
from pcsf_lark.relay.holding import is_short_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cso import CognitiveStateObject
    from pcsf_lark.model import Capsule

__all__ = ["completed_by"]


def completed_by(drafted: CognitiveStateObject, finished: Capsule) -> CognitiveStateObject:
    """The object with every entry of the capsule that it does not have, shortened or whole."""
    more = to_cso(finished)
    goal = drafted.goal_state
    said = [says(item) for item in drafted.items().values()]
    said += [RULED_OUT + option for one in drafted.decisions for option in one.alternatives]
    items = [item for item in more.items().values() if not _is_among(says(item), said)]
    names = {item.id for item in items}
    edges = (e for e in more.dependency_graph if {e.dependent, e.depends_on} <= names)
    open_ = [*goal.remaining, *drafted.open_questions]
    return altered(
        drafted,
        established_facts=(
            *drafted.established_facts,
            *(item for item in items if isinstance(item, Fact)),
        ),
        decisions=(*drafted.decisions, *(item for item in items if isinstance(item, Decision))),
        dependency_graph=(*drafted.dependency_graph, *edges),
        constraints=_joined(drafted.constraints, more.constraints, drafted.constraints),
        open_questions=_joined(drafted.open_questions, more.open_questions, open_),
        goal_state=altered(
            goal, remaining=_joined(goal.remaining, more.goal_state.remaining, open_)
        ),
    )


def _joined(mine: Iterable[str], more: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    known = tuple(known)
    return tuple(dict.fromkeys((*mine, *(text for text in more if not _is_among(text, known)))))


def _is_among(text: str, known: Iterable[str]) -> bool:
    """Whether a text is said already, as a capsule has it."""
    shown = escaped(text)
    return any(shown == whole or is_short_for(shown, whole) for whole in map(escaped, known))
