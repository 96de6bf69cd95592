"""Text arithmetic shared by the whole kernel.

Laws: every length is counted in UTF-16 code units, because state and configuration
travel between kernels written in languages that count so; no cut splits a code point;
no function emits a lone surrogate.
"""

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

__all__ = [
    "capped",
    "half_up",
    "head",
    "json_trim",
    "repair",
    "short_count",
    "tail",
    "total_units",
    "trim",
    "units",
]

# What a JSON-speaking host trims: Unicode spaces, line ends and the byte order mark.
_TENTH: Final = Decimal("0.1")
_SPACES: Final = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def units(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def total_units(texts: Iterable[str]) -> int:
    """Return the summed length of several texts in UTF-16 code units."""
    return sum(map(units, texts))


def head(text: str, limit: int) -> str:
    """Return the longest prefix of at most `limit` units that splits no code point."""
    if limit <= 0:
        return ""
    if len(text) == units(text):
        return text[:limit]
    raw = text.encode("utf-16-le", "surrogatepass")[: 2 * limit]
    if len(raw) >= 2 and 0xD8 <= raw[-1] <= 0xDB:
        raw = raw[:-2]
    return raw.decode("utf-16-le", "surrogatepass")


def tail(text: str, limit: int) -> str:
    """Return the longest suffix of at most `limit` units that splits no code point."""
    if limit <= 0:
        return ""
    if len(text) == units(text):
        return text[-limit:]
    raw = text.encode("utf-16-le", "surrogatepass")[-2 * limit :]
    if len(raw) >= 2 and 0xDC <= raw[1] <= 0xDF:
        raw = raw[2:]
    return raw.decode("utf-16-le", "surrogatepass")


def repair(text: str) -> str:
    """Replace lone surrogates by U+FFFD; every other text comes back as it is."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def trim(text: str) -> str:
    """Strip the white space a JavaScript host strips."""
    return text.strip(_SPACES)


def json_trim(text: str) -> str:
    """Strip the white space JSON allows between tokens."""
    return text.strip(" \t\r\n")


def half_up(value: float) -> int:
    """Round to the nearest integer, exact ties upward."""
    return math.floor(value + 0.5)


def short_count(count: int) -> str:
    """Spell a token count for a tag: 999, 1.3K, 11K; ties of the binary value go upward."""
    if count < 1000:
        return str(count)
    if count < 10000:
        return f"{Decimal(count / 1000).quantize(_TENTH, ROUND_HALF_UP)}K"
    return f"{half_up(count / 1000)}K"


def capped(text: str, limit: int) -> str:
    """Return `text` in at most `limit` units, with an ellipsis where it was cut."""
    return text if units(text) <= limit else head(text, limit - 1) + "…"
