"""Digests: what a source, a range or a transaction is, told by its content alone.

Laws: equal content has one canonical text, however a writer spelled its numbers or
ordered its keys; the digest of a source is of the protocol content as stored, so no edit,
no fork and no new parent changes it; no JSON value fails.
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

from kernel.projection.log.spelling import stringify

__all__ = ["canonical", "leaf_digest", "short", "source_digest"]

_ENCODE: Final = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), check_circular=False
).encode
_SAFE: Final = 2**53
_DECIMAL: Final = (1e-4, 1e15)
_FLAT: Final = frozenset({str, bool, type(None)})
#: What a message says, by role; all else (usage, times, details) is bookkeeping.
_CONTENT: Final[Mapping[str, tuple[str, ...]]] = {
    "user": ("content",),
    "assistant": ("content",),
    "toolResult": ("content", "isError", "toolCallId", "toolName"),
    "system": ("content", "sections", "toolsAdded", "toolsRemoved"),
    "custom": ("content", "customType"),
    "bashExecution": ("command", "excludeFromContext", "exitCode", "output"),
    "branchSummary": ("summary",),
    "compactionSummary": ("summary",),
}
_ANY: Final = tuple(sorted({key for keys in _CONTENT.values() for key in keys}))


def canonical(value: Any) -> str:
    """Return the one compact JSON text of a value: keys sorted, numbers as JavaScript has them."""
    return _canonical(value).decode()


def _canonical(value: Any) -> bytes:
    try:
        if _is_plain(value):
            return _ENCODE(value).encode()
    except (RecursionError, UnicodeEncodeError):
        pass
    return stringify(value, ordered=True).encode()


def _is_plain(value: Any) -> bool:
    """Tell a value that every writer spells alike, and the fast encoder knows."""
    kind = type(value)
    if kind is dict:
        value = value.values()
    elif kind is int:
        return bool(-_SAFE <= value <= _SAFE)
    elif kind is float:
        # Between these both languages write the shortest decimals, without an exponent.
        return not value.is_integer() and _DECIMAL[0] <= abs(value) < _DECIMAL[1]
    elif kind is not list and kind is not tuple:
        return kind in _FLAT
    return _FLAT.issuperset(map(type, value)) or all(map(_is_plain, value))


def source_digest(message: Mapping[str, Any]) -> str:
    """Return the digest (hex SHA-256) of the protocol content of a Pi message as stored."""
    role = message.get("role")
    if role == "hookMessage":
        role = "custom"
    content = {"role": role}
    for key in _CONTENT.get(role, _ANY) if isinstance(role, str) else _ANY:
        if key in message:
            content[key] = message[key]
    return sha256(_canonical(content)).hexdigest()


def leaf_digest(leaves: Iterable[tuple[str, str]]) -> str:
    """Return the digest of ordered leaves, each an entry id with its source digest."""
    text = "".join(f"{entry_id} {digest}\n" for entry_id, digest in leaves)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def short(prefix: str, value: Any, size: int) -> str:
    """Return a prefix and the first `size` hex digits of the digest of a value."""
    return prefix + sha256(_canonical(value)).hexdigest()[:size]
