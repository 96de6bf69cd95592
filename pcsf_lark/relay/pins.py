"""What a head capsule must hold wherever it fits: constraints, and HIGH loops.

In this order: the constraints and HIGH loops of the newest capsule, then the
object's other constraints, then its other HIGH loops, the newest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.model import LoopEntry, SkeletonEntry
from pcsf_lark.passes.cso_text import escaped
from pcsf_lark.relay.holding import is_same, is_short_for
from pcsf_lark.spec import PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cso import CognitiveStateObject
    from pcsf_lark.model import Capsule, Entry
    from pcsf_lark.relay.notes import Loop

__all__ = ["BINDING", "JOIN", "Pin", "holds", "pins", "shown"]

_URGENT = PRIORITIES[0]
_BECAUSE = "hard constraint"
#: Dimensions that say how to work, and what may not be.
BINDING = frozenset({"BOUNDARY", "MODE", "STYLE"})
#: What stands between the terms of one dimension.
JOIN = "; "


@frozen
class Pin:
    """A constraint or HIGH loop: its text, that text as a capsule has it, its own line."""

    kind: str
    text: str
    said: str
    layer: str
    entry: Entry


def pins(
    state: CognitiveStateObject, loops: Sequence[Loop], new: Capsule | None
) -> tuple[Pin, ...]:
    """All that must be in the head capsule of ``state``, what matters most first."""
    bound = [_constraint(text) for text in state.constraints]
    urgent = [one for one in loops if one.priority == _URGENT]
    urgent.sort(key=lambda one: -one.window)
    open_ = [_loop(one) for one in urgent]
    if new is None:
        return (*bound, *open_)
    first = [pin for pin in (*bound, *open_) if shown(new, pin)]
    given = {(pin.kind, pin.text) for pin in first}
    rest = (pin for pin in (*bound, *open_) if (pin.kind, pin.text) not in given)
    return (*first, *rest)


def _constraint(text: str) -> Pin:
    said = escaped(text)
    return Pin("constraint", text, said, "L1", SkeletonEntry("CONSTRAINT", said, _BECAUSE))


def _loop(loop: Loop) -> Pin:
    said = escaped(loop.text)
    return Pin("loop", loop.text, said, "L5", LoopEntry(loop.type, said, _URGENT))


def shown(capsule: Capsule, pin: Pin) -> str:
    """How a capsule has it: ``whole``, ``shortened``, or not at all (empty)."""
    form = ""
    for _, text, _ in _candidates(capsule, pin):
        if is_same(text, pin.said):
            return "whole"
        if is_short_for(text, pin.said):
            form = "shortened"
    return form


def holds(capsule: Capsule, pin: Pin) -> tuple[str, str] | None:
    """The layer and line that show it in a capsule, whole or shortened."""
    for layer, text, line in _candidates(capsule, pin):
        if is_same(text, pin.said):
            return layer, line
    for layer, text, line in _candidates(capsule, pin):
        if is_short_for(text, pin.said):
            return layer, line
    return None


def _candidates(capsule: Capsule, pin: Pin) -> Iterator[tuple[str, str, str]]:
    if pin.kind == "loop":
        for loop in capsule.loops:
            yield "L5", loop.description, loop.line
        return
    for entry in capsule.skeleton:
        if entry.type == "CONSTRAINT":
            yield "L1", entry.fact, entry.line
    for axis in capsule.relation:
        if axis.dimension in BINDING:
            # A dimension stands once, so it holds several terms in a row.
            for text in dict.fromkeys((axis.state, *axis.state.split(JOIN))):
                yield "L4", text, axis.line
