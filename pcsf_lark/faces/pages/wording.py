"""Words of pages: texts cut to what a page shows."""

from __future__ import annotations

import unicodedata

__all__ = ["cut", "decoded", "fitting", "tag"]

#: How many digits tell a tag apart, as in `pcsf relay log`.
_TAG = len("sha256:") + 12


def cut(text: str, most: int) -> str:
    """A text of at most ``most`` characters; of a longer one the beginning, and how much more."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more)"


def decoded(text: str) -> str:
    """Bytes that a source holds as Latin-1, as the UTF-8 that they mostly are.

    Bytes that are none are written with a backslash; text beyond Latin-1 stays.
    """
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text


def tag(text: str) -> str:
    """The beginning of a tag."""
    return text[:_TAG]


def fitting(text: str, columns: int) -> str:
    """A text on one line of so many columns, wide characters counted as two."""
    text = " ".join(text.split())
    used = 0
    for index, char in enumerate(text):
        used += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if used > columns:
            return text[: max(index - 1, 0)].rstrip() + "…"
    return text
