r"""Any text as one field of a capsule: what a field cannot hold is escaped, and told.

`|` becomes `/`, line ends and tabs become spaces, other characters fold to ASCII
or become `\uXXXX`, and an empty text is `unstated`. A text that had to change
does not count as kept.
"""

from __future__ import annotations

import re
import unicodedata

from pcsf_lark.values import sentence_marks

__all__ = ["EMPTY", "cut", "escaped", "one_sentence"]

#: What stands where a field must not be empty.
EMPTY = "unstated"

_PLAIN = re.compile(r"[!-{}~](?:[ -{}~]*[!-{}~])?").fullmatch
_TYPOGRAPHY = {
    0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-", 0x2212: "-",
    0x2192: "->", 0x2190: "<-", 0x2264: "<=", 0x2265: ">=", 0x00D7: "x", 0x00DF: "ss",
}  # fmt: skip
_BLANK = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_MARK = "..."


def escaped(text: str) -> str:
    """The text as a field can hold it; a text that already is one comes back itself."""
    if _PLAIN(text):
        return text
    composed = unicodedata.normalize("NFC", text)
    spaced = _BLANK.sub(" ", composed).translate(_TYPOGRAPHY)
    folded = "".join(map(_folded, spaced)).replace("|", "/").strip(" ")
    return folded or EMPTY


def _folded(character: str) -> str:
    """One character in ASCII."""
    if " " <= character <= "~":
        return character
    plain = "".join(
        part for part in unicodedata.normalize("NFKD", character) if not unicodedata.combining(part)
    )
    if plain and all(" " <= part <= "~" for part in plain):
        return plain
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def one_sentence(text: str) -> str:
    """The first sentence; all of a text that has no second one (D7)."""
    marks = sentence_marks(text)
    return text if len(marks) < 2 else text[: marks[0]]


def cut(text: str, most: int) -> str:
    """The text within ``most`` characters, shortened at a word, with ``...`` at its end."""
    if len(text) <= most:
        return text
    head = text[: most - len(_MARK)]
    space = head.rfind(" ") if text[len(head)] != " " else len(head)
    return (head[:space] if space > 0 else head).rstrip(" .") + _MARK
