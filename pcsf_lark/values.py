"""What a field's text means: timestamps, sentences, whole numbers.

Pure functions on short strings, shared by the verdict, the rules and the
passes; none of them knows where in a file the text stood.
"""

from __future__ import annotations

import re

from pcsf_lark.spec import ABBREVIATIONS

__all__ = ["canonical_integer", "is_one_sentence", "is_real_time", "is_timestamp", "sentence_marks"]

_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z").fullmatch
# A run is taken whole or not at all, so that a flood of stops is read in one go.
_MARK = re.compile(r"(?<![.!?])[.!?]++(?=\Z| [A-Z0-9'\"(])")
_MONTH_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
#: Every ``MM-DD`` of a leap year.
_DAYS = frozenset(
    f"{month:02}-{day:02}"
    for month, length in enumerate(_MONTH_LENGTHS, start=1)
    for day in range(1, length + 1)
)


def is_timestamp(text: str) -> bool:
    """Whether ``text`` has the form ``YYYY-MM-DDThh:mmZ`` (§2.4)."""
    return _TIMESTAMP(text) is not None


def is_real_time(text: str) -> bool:
    """Whether a timestamp of the right form names a minute that exists (D9).

    Years run from 0001 to 9999; there is no 24:00.
    """
    day = text[5:10]
    if not (day in _DAYS and text[11:13] < "24" and text[14:16] < "60" and text[:4] != "0000"):
        return False
    return day != "02-29" or _is_leap(int(text[:4]))


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def is_one_sentence(text: str) -> bool:
    """Whether ``text`` has at most one terminal mark (D7); quick where it has few stops."""
    stops = text.count(".") + text.count("!") + text.count("?")
    return stops < 2 or len(sentence_marks(text)) < 2


def sentence_marks(text: str) -> list[int]:
    """Where each terminal mark of ``text`` ends; more than one is no single sentence (D7).

    A mark is a run of ``.``, ``!`` or ``?`` at the end, or followed by a space
    and an upper-case letter, a digit, a quote or an opening parenthesis, unless
    the run is the full stop of one of ``spec.ABBREVIATIONS``.
    """
    return [m.end() for m in _MARK.finditer(text) if not _abbreviates(text, m)]


def _abbreviates(text: str, mark: re.Match[str]) -> bool:
    if mark.group() != ".":
        return False
    until = text[: mark.end()]
    return any(
        until.endswith(word) and not until[: -len(word)][-1:].isalnum() for word in ABBREVIATIONS
    )


def canonical_integer(digits: str) -> str:
    """``digits`` without leading zeros (D10)."""
    return digits.lstrip("0") or digits[-1:]
