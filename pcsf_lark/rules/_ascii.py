"""What a non-ASCII stretch may be written as in ASCII, for the rule C1."""

from __future__ import annotations

import unicodedata

__all__ = ["to_ascii"]

_SIGNS = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4\u02bc",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2022\u00b7\u25aa\u25cf",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
    "": "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff",
    "/": "\u2044\u2215\u00f7\u2502\u2503\u2758\u00a6\uff5c",
    "->": "\u2192\u27f6\u279c\u279d\u27a1", "<-": "\u2190\u27f5", "<->": "\u2194",
    "=>": "\u21d2", "<=": "\u2264\u21d0", ">=": "\u2265", "!=": "\u2260", "~": "\u2248\u223c",
    "...": "\u2026", "x": "\u00d7", "+/-": "\u00b1", "u": "\u00b5\u03bc", "*": "\u2217\u22c5",
    "ss": "\u00df", "ae": "\u00e6", "AE": "\u00c6", "oe": "\u0153", "OE": "\u0152", "o": "\u00f8",
    "O": "\u00d8", "l": "\u0142", "L": "\u0141", "d": "\u0111\u00f0", "D": "\u0110\u00d0", "th": "\u00fe",
    "i": "\u0131", "EUR": "\u20ac", "GBP": "\u00a3", "(c)": "\u00a9", "(R)": "\u00ae",
}  # fmt: skip
_TABLE = {ord(sign): text for text, signs in _SIGNS.items() for sign in signs}


def to_ascii(found: str) -> str | None:
    """The ASCII text of a stretch read byte by byte, None where one of its characters has none."""
    raw = found.encode("latin-1")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", "replace")  # what quotes and dashes of old files are
    plain = unicodedata.normalize("NFKD", text.translate(_TABLE)).translate(_TABLE)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).replace("|", "/")
    return plain if plain.isascii() and plain.isprintable() else None
