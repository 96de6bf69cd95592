"""Objects as rows of the store, and what is told of a row without its body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from cso import codec, jcs
from cso.errors import StoreDamagedError

if TYPE_CHECKING:
    from sqlalchemy import Row

    from cso.model import CognitiveStateObject

__all__ = ["Entry", "object_of", "row_of"]


@frozen
class Entry:
    """One line of a session's log: an object's place, its parents, its branches.

    Attributes:
        position: Its place in the session's log, from 1.
        window_number: The object's.
        cso_id: The object's.
        tag: Its `cso_hmac`.
        parents: The tags it goes on from.
        heads: The branches that stand here.
    """

    position: int
    window_number: int
    cso_id: str
    tag: str
    parents: tuple[str, ...]
    heads: tuple[str, ...]


def row_of(session: str, cso: CognitiveStateObject) -> dict[str, Any]:
    """Give the columns of an object, but for its position."""
    body = codec.dumps(cso)
    return {
        "session": session,
        "tag": cso.cso_hmac,
        "window_number": cso.window_number,
        "cso_id": cso.cso_id,
        "digest": jcs.digest(body),
        "body": body,
    }


def object_of(row: Row[Any]) -> CognitiveStateObject:
    """Give the object of a row, if it is what was written."""
    if not isinstance(row.body, bytes) or jcs.digest(row.body) != row.digest:
        raise StoreDamagedError("is not what was written", at=f"object {row.tag}")
    return codec.loads(row.body, strict=False)
