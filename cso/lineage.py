"""Lines of succession: an item, what it superseded, and what superseded it.

The links decide, not the ids, so a renamed id keeps its count (R26). Where the
old item is archived, the revision records take over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso.model import CognitiveStateObject, RecordKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cso import model

__all__ = ["MAX_ID", "head", "next_id", "revisions_of", "root_of"]

MAX_ID = 128


def head(items: Mapping[str, model.Item], name: str) -> str:
    """Follow `superseded_by` to the item that stands today."""
    seen = {name}
    while (item := items.get(name)) is not None and item.superseded_by is not None:
        if item.superseded_by in seen or item.superseded_by not in items:
            break
        name = item.superseded_by
        seen.add(name)
    return name


def _line(cso: CognitiveStateObject, name: str) -> tuple[str, int]:
    """Give the oldest known id of a line, and how often it was revised since."""
    items = cso.items()
    made = {r.superseded_by: r for r in cso.revisions if r.kind is RecordKind.REVISION}
    seen = {name}
    count = 0
    while True:
        item, record = items.get(name), made.get(name)
        if item is not None and item.supersedes is not None:
            before = item.supersedes.id
        elif record is not None:
            before = record.target
        else:
            return name, count
        count += 1
        if before in seen:
            return name, count
        seen.add(before)
        name = before


def revisions_of(cso: CognitiveStateObject, name: str) -> int:
    """Count the successful revisions of an item's line, over all windows."""
    return _line(cso, name)[1]


def root_of(cso: CognitiveStateObject, name: str) -> str:
    """Give the id that the item's line began with."""
    return _line(cso, name)[0]


def next_id(base: str, number: int) -> str:
    """Name the next revision: `<base>.r<number>`, shortened where ids may not go."""
    suffix = f".r{number}"
    return base[: MAX_ID - len(suffix)] + suffix
