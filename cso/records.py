"""What the records that a new object adds to its prior account for (R19).

A status, an end, a moved edge or a finished goal entry is legitimate only with a
record that names it; these questions are asked here and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso.marks import archived
from cso.model import CognitiveStateObject, RecordKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cso.model import Record

__all__ = ["Records"]


class Records:
    """What the records that `new` adds to `prior` account for."""

    def __init__(self, prior: CognitiveStateObject, new: CognitiveStateObject) -> None:
        known = set(prior.revisions)
        self.added = tuple(record for record in new.revisions if record not in known)
        self._targets: dict[str, set[RecordKind]] = {}
        self._named: dict[str, set[RecordKind]] = {}
        for record in self.added:
            self._targets.setdefault(record.target, set()).add(record.kind)
            for name in (record.target, *record.affected):
                self._named.setdefault(name, set()).add(record.kind)
        self._ended = {
            record.target for record in self.added if record.kind is RecordKind.INVALIDATION
        }
        revisions = [record for record in self.added if record.kind is RecordKind.REVISION]
        if revisions:
            held = set(self._targets).union(archived(new))
            self._ended.update(_superseded(revisions, prior, new, held))

    def ends(self, name: str) -> bool:
        """Tell whether a record says that the item was revised or invalidated."""
        return name in self._ended

    def moves(self, name: str) -> bool:
        """Tell whether a record allows the item's supports to change."""
        return RecordKind.REAFFIRMATION in self._targets.get(name, ())

    def allows(self, name: str, status: Status) -> bool:
        """Tell whether a record accounts for the item now having this status."""
        kinds = (self._targets if status in _BY_TARGET else self._named).get(name, set())
        return not kinds.isdisjoint(_ALLOWED[status])

    def advanced(self) -> set[str]:
        """Give the goal entries that were recorded as done."""
        advances = (r for r in self.added if r.kind is RecordKind.ADVANCE)
        return {entry for record in advances for entry in record.affected}

    def has(self, kind: RecordKind) -> bool:
        """Tell whether any added record is of this kind."""
        return any(record.kind is kind for record in self.added)


def _superseded(
    revisions: Iterable[Record],
    prior: CognitiveStateObject,
    new: CognitiveStateObject,
    held: set[str],
) -> Iterator[str]:
    """Yield the targets that something took the place of; `held` is what stood there since.

    A revision into nothing ends nothing, nor does one into what stood there before
    and supersedes something else, or nothing.
    """
    before, items = prior.items(), new.items()
    for record in revisions:
        name = record.superseded_by
        item = items.get(name)
        if item is None:
            follows = name in held
        elif name in before:
            follows = item.supersedes is not None and item.supersedes.id == record.target
        else:
            follows = True
        if follows:
            yield record.target


_BY_TARGET = frozenset({Status.INVALIDATED, Status.SUPERSEDED, Status.ESCALATED})
_ALLOWED: dict[Status, frozenset[RecordKind]] = {
    Status.VALID: frozenset({RecordKind.REAFFIRMATION, RecordKind.REFRESH}),
    Status.STALE: frozenset({RecordKind.STALE}),
    Status.NEEDS_REVISION: frozenset(
        {RecordKind.INVALIDATION, RecordKind.REVISION, RecordKind.ESCALATION}
    ),
    Status.INVALIDATED: frozenset({RecordKind.INVALIDATION}),
    Status.SUPERSEDED: frozenset({RecordKind.REVISION}),
    Status.ESCALATED: frozenset({RecordKind.ESCALATION}),
}
