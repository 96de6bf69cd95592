"""Import of objects that the package `crprotocol` writes (R7).

Its names for things differ and its marks are magic strings; they are read here,
by name, and nowhere silently. The import is unsigned and unverified.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cso.codec import from_members
from cso.decode import DEFAULT_LIMITS, Limits
from cso.errors import ContentError
from cso.model import CognitiveStateObject, Status

__all__ = ["from_crprotocol"]

_NEEDS_REVISION = "__needs_revision__"
_NAMES = {"active_constraints": "constraints"}


def from_crprotocol(
    raw: Mapping[str, Any], *, limits: Limits = DEFAULT_LIMITS
) -> CognitiveStateObject:
    """Read a dict that `crprotocol` made; raise `ContentError` if it is no object.

    `active_constraints` becomes `constraints`, `invalidated` and `revised_by` become
    statuses, a tag without `sha256:` is dropped since it covers ids only. Members
    without a counterpart are kept.
    """
    if not isinstance(raw, Mapping):
        raise ContentError("expected a JSON object", code="type")
    members = {_NAMES.get(name, name): value for name, value in raw.items()}
    for both in set(_NAMES.values()) & set(raw):
        if any(_NAMES[name] == both and raw[name] != raw[both] for name in _NAMES if name in raw):
            raise ContentError("two names, two values", at=both, code="duplicate")
    window = members.get("window_number")
    # Its first window is 0 and its genesis has no mark of its own.
    members["window_number"] = max(window, 1) if type(window) is int else 1
    members.update(prior_cso_hash="", cso_hmac="", verified=False)
    members["established_facts"] = [_item(f) for f in members.get("established_facts", [])]
    members["decisions"] = [_item(d) for d in members.get("decisions", [])]
    members.setdefault("goal_state", None)
    if members["goal_state"] is None:
        members["goal_state"] = {"mode": "CONVERSATION"}
    return from_members(members, strict=False, limits=limits)


def _item(raw: Any) -> Any:
    """Turn the marks of one fact or decision into a status."""
    if not isinstance(raw, Mapping):
        return raw
    item = dict(raw)
    origin = item.get("window_origin")
    item["window_origin"] = max(origin, 1) if type(origin) is int else 1
    if item.pop("invalidated", False):
        item["status"] = Status.INVALIDATED.value
    by = item.pop("revised_by", None)
    if by == _NEEDS_REVISION:
        item["status"] = Status.NEEDS_REVISION.value
    elif by:
        item.update(status=Status.SUPERSEDED.value, superseded_by=by)
    for name in ("provenance", "mode"):
        if isinstance(item.get(name), str):
            item[name] = item[name].upper()
    return item
