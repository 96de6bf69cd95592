"""Open loops with their type and urgency, for which an object has no slot of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from pcsf_lark.passes.cso_text import escaped
from pcsf_lark.relay.holding import is_short_for
from pcsf_lark.relay.notes import Loop
from pcsf_lark.spec import PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cso import CognitiveStateObject
    from pcsf_lark.model import Capsule

__all__ = ["open_loops", "renewed"]

_TASK = "INCOMPLETE_TASK"


def open_loops(
    known: Iterable[Loop],
    new: Capsule | None,
    state: CognitiveStateObject,
    window: int,
    *,
    urgency: str = PRIORITIES[0],
) -> tuple[Loop, ...]:
    """The loops that are open in ``state``, as named last.

    What remains of the goal and was given no urgency has ``urgency``.
    """
    remaining = state.goal_state.remaining
    open_ = dict.fromkeys((*remaining, *state.open_questions))
    found = {loop.text: loop for loop in known if loop.text in open_}
    whole = {escaped(text): text for text in open_} if new is not None and new.loops else {}
    for entry in new.loops if new is not None else ():
        text = whole.get(entry.description)
        if text is None:
            longer = (t for said, t in whole.items() if is_short_for(entry.description, said))
            text = next(longer, None)
        if text is not None:
            found.pop(text, None)
            found[text] = Loop(entry.type, text, entry.priority, window)
    for text in remaining:
        if text not in found:
            found[text] = Loop(_TASK, text, urgency, window)
    return tuple(found.values())


def renewed(loops: Iterable[Loop], given: CognitiveStateObject, window: int) -> tuple[Loop, ...]:
    """The loops, those that a pushed object names again as named by this window."""
    again = {*given.goal_state.remaining, *given.open_questions}
    kept, named = list[Loop](), list[Loop]()
    for loop in loops:
        if loop.text in again and loop.window != window:
            named.append(evolve(loop, window=window))
        else:
            kept.append(loop)
    return (*kept, *named)
