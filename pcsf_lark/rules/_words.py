"""Small wording that rules share."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["choice", "nearest"]


def choice(words: Sequence[str]) -> str:
    """``A, B or C``."""
    return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]


def nearest(word: str, words: Sequence[str]) -> str:
    """The one of ``words`` that ``word`` was most likely meant to be, or ``""``."""
    found = difflib.get_close_matches(word.strip(" ").upper(), words, 1, cutoff=0.5)
    return found[0] if found else ""
