"""A quotation as a field of a capsule: one line, ASCII, trimmed at a word.

Laws: words are never changed or added; marks of layout at the edges go, pictures go,
typographic signs become their ASCII spelling; what is cut ends in `...`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from pcsf_lark.passes.cso_text import EMPTY, cut, escaped
from pcsf_lark.values import sentence_marks

__all__ = ["bare", "clause", "field", "sentence"]

_EDGES: Final = " \t\n*_#>-:;,~=\u2013\u2014\u2022"
_LEADS: Final = re.compile(
    r"^(?:and|but|so|also|now|then|however|unfortunately|actually|ok(?:ay)?|alright|well|first|btw|oh no|i see|yes|no|sure"
    r"|good|great|perfect|hi|hey|hello|hey there|expected)\b(?:[,!:.]|\s*[-\u2013\u2014](?=\s))\s*",
    re.IGNORECASE,
)
_BLANK: Final = re.compile(r"\s+")
_PICTURES: Final = ("So", "Cs", "Cf", "Cc", "Co", "Cn")
_SIGNS: Final = str.maketrans({"\u2026": "...", "\u2022": "-", "\u00a0": " "})


def bare(text: str) -> str:
    """A quotation without the layout at its edges."""
    text = text.strip(_EDGES)
    # A mark of emphasis that opened before the quotation would be left alone in it.
    return text if text.count("**") % 2 == 0 else text.replace("**", "", 1).strip(_EDGES)


def clause(text: str) -> str:
    """A sentence without the words that only tie it to the one before, nor its full stop."""
    text = bare(text)
    while (lead := _LEADS.match(text)) is not None and len(text) - lead.end() > 12:
        text = bare(text[lead.end() :])
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def field(text: str, most: int) -> str:
    """A quotation as a field of at most ``most`` characters, "" where nothing is left of it."""
    plain = text.translate(_SIGNS)
    if not plain.isascii():
        plain = "".join(
            char for char in plain if char.isspace() or unicodedata.category(char) not in _PICTURES
        )
    plain = _BLANK.sub(" ", plain).strip()
    folded = escaped(plain)
    if not plain or folded == EMPTY:
        return ""
    return cut(bare(folded), most)


def sentence(text: str, most: int) -> str:
    """A quotation as one sentence: marks that would end one inside it end it."""
    shown = field(text, most)
    marks = sentence_marks(shown)
    return shown if len(marks) < 2 else shown[: marks[0]]
