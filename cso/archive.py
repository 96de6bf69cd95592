"""Archiving: dead items leave the object for the audit trail (R4, A34).

Only INVALIDATED and SUPERSEDED items go, only when asked. A stub with the digest
stays in `ext.crp.archived`, so links and records still resolve.
"""

from __future__ import annotations

from attrs import frozen

from cso.altered import altered
from cso.encode import item_digest
from cso.marks import archived, opened, with_crp
from cso.members import members_of
from cso.model import CognitiveStateObject, Item, Record, RecordKind, Status

__all__ = ["Archived", "archive"]

_DEAD = frozenset({Status.INVALIDATED, Status.SUPERSEDED})


@frozen
class Archived:
    """What left: ids in order, and their JSON for the audit event.

    Attributes:
        ids: The items that left, in order.
        data: Their JSON, in the same order.
    """

    ids: tuple[str, ...]
    data: tuple[dict[str, object], ...]


def archive(cso: CognitiveStateObject) -> tuple[CognitiveStateObject, Archived]:
    """Move dead items out; the caller appends `data` to the audit trail first."""
    items: tuple[Item, ...] = (*cso.established_facts, *cso.decisions)
    dead = tuple(item for item in items if item.status in _DEAD)
    if not dead:
        return cso, Archived((), ())
    names = {item.id for item in dead}
    draft = opened(cso)
    stubs = {**archived(cso), **{item.id: item_digest(item) for item in dead}}
    record = Record(
        target="cso",
        window=draft.window_number,
        affected=tuple(item.id for item in dead),
        kind=RecordKind.ARCHIVE,
    )
    draft = altered(
        draft,
        established_facts=tuple(f for f in draft.established_facts if f.fact_id not in names),
        decisions=tuple(d for d in draft.decisions if d.decision_id not in names),
        dependency_graph=tuple(e for e in draft.dependency_graph if e.dependent not in names),
        revisions=(*draft.revisions, record),
    )
    rows = [{"id": name, "digest": stubs[name]} for name in sorted(stubs)]
    draft = with_crp(draft, archived=rows)
    return draft, Archived(tuple(item.id for item in dead), tuple(members_of(i) for i in dead))
