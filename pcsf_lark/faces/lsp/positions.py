"""Lines and UTF-16 units on one side, bytes on the other.

Laws of this file: LF, CR LF and CR end a line, and nothing else does, as the
protocol has it (Python's own ``splitlines`` knows seven more). A position
beyond a line's end is its end; one inside a character is the character's
start. A lone surrogate, which no UTF-8 can hold, is read as U+FFFD, which is
as long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from pcsf_lark.faces.lsp.answers import Change

__all__ = ["ENCODINGS", "Place", "Text"]

#: What a position's character may count, in the protocol's words.
ENCODINGS = ("utf-16", "utf-8", "utf-32")

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\n|\r")
_CR, _LF = 13, 10


class Place(NamedTuple):
    """A line and a place on it, both counted from 0."""

    line: int
    character: int


class Text:
    """A document's text, and where its lines are."""

    def __init__(self, text: str) -> None:
        self.characters = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
        self._ascii = text.isascii()

    @cached_property
    def data(self) -> bytes:
        """The text's UTF-8."""
        return self.characters.encode()

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line starts, in characters."""
        return [0, *(found.end() for found in _LINE_END.finditer(self.characters))]

    @cached_property
    def _bytes(self) -> list[int]:
        """Where each line starts, in bytes."""
        if self._ascii:
            return self._starts
        found, total = [], 0
        for start, end in zip(self._starts, [*self._starts[1:], None], strict=True):
            found.append(total)
            total += len(self.characters[start:end].encode())
        return found

    def __len__(self) -> int:
        """How many lines there are; the one after a last line end counts."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """A line's text without its end."""
        start = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self) else None
        return self.characters[start:end].rstrip("\r\n")

    def byte(self, character: int) -> int:
        """The byte that a character starts at."""
        if self._ascii:
            return min(character, len(self.characters))
        number = bisect_right(self._starts, character) - 1
        start = self._starts[number]
        return self._bytes[number] + len(self.characters[start:character].encode())

    def character(self, byte: int) -> int:
        """The character that a byte lies in."""
        if self._ascii:
            return min(byte, len(self.characters))
        while not self.aligned(byte):
            byte -= 1
        number = bisect_right(self._bytes, byte) - 1
        return self._starts[number] + len(self.data[self._bytes[number] : byte].decode())

    def aligned(self, byte: int) -> bool:
        """Whether a byte starts a character, or the text ends before it."""
        return byte >= len(self.data) or not _continues(self.data[byte])

    def place(self, byte: int, encoding: str = "utf-16", *, up: bool = False) -> Place:
        """Where a byte is; inside a character: its start, or with ``up`` its end."""
        while up and not self.aligned(byte):
            byte += 1
        number = bisect_right(self._bytes, max(byte, 0)) - 1
        line = self.line(number)
        count = min(self.character(byte) - self._starts[number], len(line))
        return Place(number, _units(line[:count], encoding))

    def offset(self, line: int, character: int, encoding: str = "utf-16") -> int:
        """The byte at a place; the nearest one where the text has no such place."""
        if line < 0:
            return 0
        if line >= len(self):
            return len(self.data)
        text = self.line(line)
        head = _first(text, max(character, 0), encoding)
        return self._bytes[line] + len(head.encode())

    def addressable(self, change: Change) -> Change | None:
        """The change with its ends where positions can be; None where it parts a character.

        No position lies between CR and LF, so that a change which begins or
        ends there is made to take in both.
        """
        start, end, text = change
        if not (self.aligned(start) and self.aligned(end)):
            return None
        if self._parted(start):
            start, text = start - 1, "\r" + text
        if self._parted(end):
            end, text = end + 1, text + "\n"
        return Change(start, end, text)

    def _parted(self, byte: int) -> bool:
        data = self.data
        return 0 < byte < len(data) and data[byte - 1] == _CR and data[byte] == _LF


def _continues(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _units(text: str, encoding: str) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode())
    return len(text.encode("utf-16-le")) // 2


def _first(text: str, units: int, encoding: str) -> str:
    """The text's first units, a character that is cut left out."""
    if encoding == "utf-32" or text.isascii():
        return text[:units]
    if encoding == "utf-8":
        return text.encode()[:units].decode("utf-8", "ignore")
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")
