"""What changed from one state object to another: items, texts, the goal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso.model import says

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cso import CognitiveStateObject
    from cso.model import Item

__all__ = ["Difference", "differences"]


@frozen
class Difference:
    """One change: ``what`` is added, removed, changed or marked; ``old`` and ``new`` as said."""

    what: str
    kind: str
    name: str
    old: str = ""
    new: str = ""


def differences(a: CognitiveStateObject, b: CognitiveStateObject) -> tuple[Difference, ...]:
    """All changes from ``a`` to ``b``, the items first; empty where they say the same."""
    return tuple(_differences(a, b))


def _differences(a: CognitiveStateObject, b: CognitiveStateObject) -> Iterator[Difference]:
    before, after = a.items(), b.items()
    for name, item in after.items():
        kind = type(item).__name__.lower()
        old = before.get(name)
        if old is None:
            yield Difference("added", kind, name, "", says(item))
        elif _words(old) != _words(item):
            yield Difference("changed", kind, name, says(old), says(item))
        elif old.status is not item.status:
            yield Difference("marked", kind, name, old.status.value, item.status.value)
    for name, item in before.items():
        if name not in after:
            yield Difference("removed", type(item).__name__.lower(), name, says(item))
    yield from _texts("constraint", a.constraints, b.constraints)
    yield from _texts("question", a.open_questions, b.open_questions)
    yield from _texts("remaining", a.goal_state.remaining, b.goal_state.remaining)
    answers = [[f"{e.question} -> {e.answer_ref}" for e in o.resolved_questions] for o in (a, b)]
    yield from _texts("answer", *answers)
    for name in ("mode", "objective", "success_test", "completion"):
        old_value, new_value = (str(getattr(o.goal_state, name)) for o in (a, b))
        if old_value != new_value:
            yield Difference("changed", "goal", name, old_value, new_value)
    edges = [[f"{e.dependent} -> {e.depends_on}" for e in o.dependency_graph] for o in (a, b)]
    yield from _texts("edge", *edges)


def _words(item: Item) -> tuple[object, ...]:
    names = ("statement", "provenance_ref", "choice", "rationale", "alternatives")
    return tuple(getattr(item, name, None) for name in names)


def _texts(kind: str, old: Iterable[str], new: Iterable[str]) -> Iterator[Difference]:
    old, new = list(old), list(new)
    before, after = set(old), set(new)
    for text in new:
        if text not in before:
            yield Difference("added", kind, text, "", text)
    for text in old:
        if text not in after:
            yield Difference("removed", kind, text, text)
