"""JSON in and out: `loads` and `dumps`, strict or lenient (R6-R9).

`dumps(x)` is the canonical form of RFC 8785 unless an indent is asked for;
`loads(dumps(x)) == x`, and `dumps(loads(b)) == b` for canonical `b`. SPEC-011
prescribes no canonical form; RFC 8785 is this package's choice, and the bytes
that tags cover.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cso import jcs
from cso.altered import altered
from cso.check import form
from cso.decode import DEFAULT_LIMITS, Limits, object_of
from cso.encode import text_of
from cso.members import members_of

if TYPE_CHECKING:
    from cso.model import CognitiveStateObject

__all__ = ["body_digest", "dumps", "from_members", "loads", "minted"]

_NO_ID = "unminted"


def loads(
    data: bytes | str,
    *,
    strict: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> CognitiveStateObject:
    """Read an object from JSON text.

    Strict refuses unknown members, foreign ids and tags out of form; lenient
    keeps them, so that a tag over them still verifies. A missing `cso_id` is
    minted. Raises `ContentError` with all faults, or `LimitError`.
    """
    raw = jcs.parse(data, max_bytes=limits.max_bytes, max_depth=limits.depth)
    return from_members(raw, strict=strict, limits=limits)


def from_members(
    raw: Any,
    *,
    strict: bool = True,
    limits: Limits = DEFAULT_LIMITS,
) -> CognitiveStateObject:
    """Read an object from parsed JSON (a mapping), as `loads` does from text."""
    nameless = isinstance(raw, Mapping) and "cso_id" not in raw
    members = {**raw, "cso_id": _NO_ID} if nameless else raw
    value = object_of(members, strict=strict, limits=limits, judge=form)
    return minted(value) if nameless else value


def dumps(cso: CognitiveStateObject, *, indent: int | None = None) -> bytes:
    """Write an object as canonical bytes, or indented with a final LF.

    Indented text loads to the same canonical bytes.

    >>> from cso import CognitiveStateObject, GoalState, dumps, loads
    >>> goal = GoalState(mode="TOOL", objective="read the log")
    >>> state = CognitiveStateObject(cso_id="s", window_number=0, goal_state=goal)
    >>> loads(dumps(state)) == state
    True
    """
    if indent is None:
        return text_of(cso).encode()
    return (json.dumps(members_of(cso), indent=indent, ensure_ascii=False) + "\n").encode()


def body_digest(cso: CognitiveStateObject) -> str:
    """Give the SHA-256 hex digits of the canonical bytes without `cso_hmac` (R11)."""
    return sha256(text_of(cso, signed=False).encode()).hexdigest()


def minted(cso: CognitiveStateObject, session: str = "") -> CognitiveStateObject:
    """Give the object the id that follows from its session, place and content.

    `cso_` and 32 hex digits of SHA-256 over session, window number, prior tag and
    the digest of the body without its id, joined by LF. Without a session the id
    is that of a draft; a relay mints it anew.
    """
    content = sha256(text_of(cso, signed=False, named=False).encode()).hexdigest()
    parts = (session, str(cso.window_number), cso.prior_cso_hash, content)
    return altered(cso, cso_id="cso_" + sha256("\n".join(parts).encode()).hexdigest()[:32])
