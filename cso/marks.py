"""The members of `ext.crp`: what the protocol notes beside the specified fields.

| member | meaning |
|---|---|
| `kid` | id of the key that signed (R17) |
| `parents` | sorted tags of a fan-in (R15) |
| `slice_of` | tag of the object this is a slice of (R35) |
| `branch` | who made a contribution (R36) |
| `merged` | what was integrated since the last relay, by contribution (R36) |
| `archived` | `{id, digest}` of items moved to the audit trail (R4) |

What a foreign writer put there in another form counts as not there. A signed
object is closed: `opened` begins the draft that follows it.
"""

from __future__ import annotations

from typing import Any

from cso.altered import altered
from cso.model import CognitiveStateObject, RecordKind

__all__ = ["archived", "buried", "crp", "merged", "opened", "with_crp"]

# What holds for one signed object only and must not pass to its successor.
_OF_ONE_WINDOW = ("kid", "parents", "slice_of", "merged")


def crp(cso: CognitiveStateObject) -> dict[str, Any]:
    """Give a copy of `ext.crp`; empty if absent or not an object."""
    if not cso.ext or '"crp":' not in cso.ext.text:
        return {}
    found = cso.ext.get("crp")
    return found if isinstance(found, dict) else {}


def with_crp(cso: CognitiveStateObject, **members: Any) -> CognitiveStateObject:
    """Set members of `ext.crp`; one given as None, or `crp` left empty, goes."""
    merged = {**crp(cso), **members}
    kept = {name: value for name, value in merged.items() if value is not None}
    return altered(cso, ext=cso.ext.joined(crp=kept or None))


def archived(cso: CognitiveStateObject) -> dict[str, str]:
    """Map the ids of archived items to their digests."""
    stubs = crp(cso).get("archived")
    pairs = (
        (stub.get("id"), stub.get("digest"))
        for stub in (stubs if isinstance(stubs, list) else ())
        if isinstance(stub, dict)
    )
    return {
        name: digest for name, digest in pairs if isinstance(name, str) and isinstance(digest, str)
    }


def merged(cso: CognitiveStateObject) -> dict[str, dict[str, list[Any]]]:
    """Map what was integrated since the last relay to what each contribution brought."""
    found = crp(cso).get("merged")
    return {
        key: {kind: [*filter(_is_name, names)] for kind, names in brought.items() if _is_row(names)}
        for key, brought in (found.items() if isinstance(found, dict) else ())
        if isinstance(brought, dict)
    }


def _is_row(value: object) -> bool:
    return isinstance(value, list)


def _is_name(value: object) -> bool:
    """Tell an id, or the two ids of an edge, from what names nothing."""
    if isinstance(value, list):
        return all(isinstance(part, str) for part in value)
    return isinstance(value, str)


def buried(cso: CognitiveStateObject) -> set[str]:
    """Give the ids that may be referenced though nothing holds them any more.

    They were archived, or a record tells that they were invalidated or superseded.
    """
    ends = (RecordKind.INVALIDATION, RecordKind.REVISION)
    recorded = {record.target for record in cso.revisions if record.kind in ends}
    return recorded.union(archived(cso))


def opened(cso: CognitiveStateObject) -> CognitiveStateObject:
    """Give the draft that a change is written to: unsigned and unverified.

    An unsigned object is its own draft. After a signed one comes the next
    window, linked to its tag.
    """
    if not cso.cso_hmac:
        return altered(cso, verified=False) if cso.verified else cso
    draft = altered(
        cso,
        window_number=cso.window_number + 1,
        prior_cso_hash=cso.cso_hmac,
        cso_hmac="",
        verified=False,
    )
    if any(name in crp(cso) for name in _OF_ONE_WINDOW):
        draft = with_crp(draft, **dict.fromkeys(_OF_ONE_WINDOW))
    return draft
