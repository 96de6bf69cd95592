"""Order after integration: the same whichever contribution came first (R36).

`ext.crp.merged` remembers, by contribution (`branch:digest`), what each one
brought. Entries of the base come first, in their order; then contributions by
branch, digest and position; facts and decisions by window of origin before that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from cso.altered import altered
from cso.marks import merged, with_crp

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from cso.model import CognitiveStateObject, Edge, Record, Resolved

__all__ = ["KINDS", "Brought", "brought_ids", "ordered", "owners"]

T = TypeVar("T")

_Place = tuple[str, str, int]
_BASE = ("", "")


def _record_name(record: Record) -> str:
    return f"{record.kind.value} {record.target} {record.superseded_by}".rstrip()


KINDS: dict[str, Callable[[Any], Hashable]] = {
    "items": lambda item: item.id,
    "edges": lambda edge: (edge.dependent, edge.depends_on),
    "open_questions": lambda text: text,
    "constraints": lambda text: text,
    "revisions": _record_name,
    "resolved_questions": lambda entry: entry.question,
}
"""What a contribution can bring, and the name each entry goes by."""

Brought = dict[str, list[Any]]


def owners(cso: CognitiveStateObject, kind: str) -> dict[Hashable, _Place]:
    """Map the entries that contributions brought to their place in the order."""
    places: dict[Hashable, _Place] = {}
    for key, brought in merged(cso).items():
        branch, _, digest = key.rpartition(":")
        for position, name in enumerate(brought.get(kind, ())):
            entry = tuple(name) if isinstance(name, list) else name
            place = (branch, digest, position)
            places[entry] = min(place, places.get(entry, place))
    return places


def brought_ids(cso: CognitiveStateObject) -> set[str]:
    """Give the ids that contributions brought or superseded since the last relay."""
    ids: set[str] = set()
    for brought in merged(cso).values():
        names = (*brought.get("items", ()), *brought.get("superseded", ()))
        ids.update(name for name in names if isinstance(name, str))
    return ids


@frozen
class _Sorter:
    places: dict[Hashable, _Place]
    name: Callable[[Any], Hashable]

    def __call__(self, entries: Iterable[T], *, by_window: bool = False) -> tuple[T, ...]:
        def key(numbered: tuple[int, T]) -> tuple[int, _Place]:
            position, entry = numbered
            window = entry.window_origin if by_window else 0  # type: ignore[attr-defined]
            return window, self.places.get(self.name(entry), (*_BASE, position))

        return tuple(entry for _, entry in sorted(enumerate(entries), key=key))


def ordered(cso: CognitiveStateObject, key: str, brought: Brought) -> CognitiveStateObject:
    """Note a contribution and put everything in order."""
    all_brought = {**merged(cso), key: {k: v for k, v in brought.items() if v}}
    noted = with_crp(cso, merged=all_brought)
    sort = {kind: _Sorter(owners(noted, kind), name) for kind, name in KINDS.items()}
    edges: tuple[Edge, ...] = sort["edges"](cso.dependency_graph)
    records: tuple[Record, ...] = sort["revisions"](cso.revisions)
    answers: tuple[Resolved, ...] = sort["resolved_questions"](cso.resolved_questions)
    return altered(
        noted,
        established_facts=sort["items"](cso.established_facts, by_window=True),
        decisions=sort["items"](cso.decisions, by_window=True),
        dependency_graph=edges,
        open_questions=sort["open_questions"](cso.open_questions),
        constraints=sort["constraints"](cso.constraints),
        revisions=records,
        resolved_questions=answers,
    )
