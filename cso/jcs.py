"""JSON text: the one strict reader (R6) and the canonical form of RFC 8785 (R8).

Reading refuses what I-JSON refuses: duplicate members, NaN and infinities, lone
surrogates, integers beyond 2^53 - 1, a byte order mark. Writing goes through the
`rfc8785` library; `number` and `string` are shortcuts for scalars that yield its
very bytes (a property test compares them). Nothing is Unicode-normalised.
"""

from __future__ import annotations

import json
import math
from hashlib import sha256
from json.encoder import encode_basestring as string
from typing import Any

import rfc8785

from cso.errors import ContentError, LimitError

__all__ = [
    "MAX_INTEGER",
    "canonical",
    "depth_exceeds",
    "digest",
    "is_unicode",
    "member_order",
    "number",
    "parse",
    "readable",
    "string",
]

MAX_INTEGER = 2**53 - 1


def canonical(value: Any) -> bytes:
    """Give the RFC 8785 bytes of a JSON value, or raise `ContentError`."""
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError) as error:
        raise ContentError(f"no canonical JSON form: {error}", code="json") from None


def digest(data: bytes) -> str:
    """Give `sha256:` and the 64 lower-case hex digits of the digest of `data`."""
    return "sha256:" + sha256(data).hexdigest()


def number(value: float) -> str:
    """Write a finite number as RFC 8785 does.

    Between 1e-4 and 1e16 Python's `repr` of a fractional float is the text of
    ECMAScript; elsewhere exponents are written differently.
    """
    if isinstance(value, int):
        return int.__repr__(value)
    if value.is_integer() and abs(value) <= MAX_INTEGER:
        return str(int(value))
    if 1e-4 <= abs(value) < 1e16:
        return repr(value)
    return canonical(value).decode()


def member_order(name: str) -> bytes:
    """Sort key of member names: UTF-16 code units (RFC 8785 §3.2.3)."""
    return name.encode("utf-16-be", "surrogatepass")


def is_unicode(text: str) -> bool:
    """Tell whether the text has no lone surrogate, so that UTF-8 can hold it."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _constant(name: str) -> Any:
    raise ContentError(f"{name} is not JSON; write a finite number", code="json")


def _integer(text: str) -> int:
    # 2^53 - 1 has 16 digits; longer text need not be converted to be refused.
    if len(text) > 17 or abs(value := int(text)) > MAX_INTEGER:
        raise ContentError("integer beyond 2^53 - 1; write it as a string", code="json")
    return value


def _float(text: str) -> float:
    return readable(float(text))


def readable(value: float) -> float:
    """Give a number back if its canonical text can be read again.

    Infinities have none, and integral doubles from 2^53 to 1e21 are written as
    integers that I-JSON refuses.
    """
    if not math.isfinite(value):
        raise ContentError("number beyond the range of a double", code="json")
    if MAX_INTEGER < abs(value) < 1e21:
        raise ContentError("integer beyond 2^53 - 1; write it as a string", code="json")
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in members if names.count(name) > 1)
        raise ContentError(f"member {twice!r} occurs twice in one object", code="json")
    return members


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_constant=_constant,
    parse_float=_float,
    parse_int=_integer,
)


def parse(data: bytes | str, *, max_bytes: int | None = None, max_depth: int = 64) -> Any:
    """Read strict JSON; raise `ContentError` (code `json`) or `LimitError`.

    Lone surrogates are refused wherever they stand; an escaped pair is one
    character.
    """
    if max_bytes is not None and len(data) > max_bytes:
        raise LimitError(f"{len(data)} bytes of input; the limit is {max_bytes}")
    try:
        text = data.decode() if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        raise ContentError(f"not UTF-8: byte offset {error.start}", code="json") from None
    if text.startswith("\ufeff"):
        raise ContentError("byte order mark; write plain UTF-8", code="json")
    # Raw text can hold no surrogate once it came from UTF-8; an escape can.
    if (isinstance(data, str) or "\\u" in text) and not _unicode_inside(text):
        raise ContentError("lone surrogate; text must be valid Unicode", code="json")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise ContentError(f"not JSON: {error.msg} at {where}", code="json") from None
    except RecursionError:
        raise LimitError(f"nested deeper than {max_depth}") from None
    if depth_exceeds(value, max_depth):
        raise LimitError(f"nested deeper than {max_depth}")
    return value


def _unicode_inside(text: str) -> bool:
    """Look for surrogates in the raw text and in its string escapes."""
    if not is_unicode(text):
        return False
    at = text.find("\\u")
    while at >= 0:
        # An even run of backslashes before the `u` is no escape.
        start = at
        while start and text[start - 1] == "\\":
            start -= 1
        if (at - start) % 2 == 0 and text[at + 2 : at + 3] in "dD":
            unit = text[at + 2 : at + 6].lower()
            if unit >= "dc00":
                return False
            if unit >= "d800":
                low = text[at + 6 : at + 12].lower()
                if not (low.startswith("\\u") and "dc00" <= low[2:] <= "dfff"):
                    return False
                at += 6
        at = text.find("\\u", at + 2)
    return True


def depth_exceeds(value: Any, limit: int) -> bool:
    """Tell whether containers nest deeper than `limit`, without recursion."""
    level: list[Any] = [value]
    for _ in range(limit):
        level = [
            inner
            for item in level
            if isinstance(item, (dict, list, tuple))
            for inner in (item.values() if isinstance(item, dict) else item)
            if isinstance(inner, (dict, list, tuple))
        ]
        if not level:
            return False
    return True
