"""Bytes in, ``Source`` out: text, lines, spans and bounded reads.

Laws of this file: a byte is a character (the text is decoded as Latin-1, so
that every offset in it is an offset in the file); LF alone ends a line (D20);
no more than ``READ_LIMIT`` bytes are ever held.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark.spec import READ_LIMIT

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["Source", "Span", "Text"]

#: What a capsule may be handed over as.
Text = str | bytes | bytearray | memoryview

_ILLEGAL = re.compile(r"[^\n -~]|(?<! ) +(?=\n|\Z)")


@frozen
class Span:
    """A stretch of a file: where it starts and where it ends (exclusive).

    Offsets count bytes from 0; lines and columns count from 1, columns in
    bytes.

    Attributes:
        offset: The first byte, from 0.
        end: The byte after the last.
        line: The first line, from 1.
        column: The first column, from 1, in bytes.
        end_line: The line of the end.
        end_column: The column after the last.
    """

    offset: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@frozen(eq=False, slots=False)
class Source:
    """The bytes of one capsule file.

    ``size`` is the file's length, or None where it is longer than
    ``READ_LIMIT`` and cannot be told without reading on; ``oversize`` says that
    it is longer, and then ``data`` is empty: nothing but C2 can be said of it.
    """

    data: bytes = field(repr=False)
    size: int | None
    oversize: bool = False

    @classmethod
    def of(cls, data: Text) -> Source:
        """Take bytes as they are, or text as its UTF-8; TypeError for anything else."""
        if isinstance(data, str):
            data = data.encode("utf-8", "surrogatepass")
        elif not isinstance(data, bytes | bytearray | memoryview):
            kind = type(data).__name__  # type: ignore[unreachable] # callers without types
            raise TypeError(f"a capsule is bytes or str, not {kind}: read a file first")
        size = len(data)
        if size > READ_LIMIT:
            return cls(b"", size, oversize=True)
        return cls(bytes(data), size)

    @classmethod
    def read(cls, stream: BinaryIO, size: int | None = None) -> Source:
        """Read at most ``READ_LIMIT`` + 1 bytes; ``size`` is known from stat."""
        if size is not None and size > READ_LIMIT:
            return cls(b"", size, oversize=True)
        chunks: list[bytes] = []
        left = READ_LIMIT + 1
        # A terminal tells its end once, and `read` of a buffer would ask on for all of it.
        once = getattr(stream, "read1", stream.read)
        while left and (chunk := once(left)):
            chunks.append(chunk)
            left -= len(chunk)
        data = b"".join(chunks)
        if len(data) > READ_LIMIT:
            return cls(b"", None, oversize=True)
        return cls(data, len(data))

    @cached_property
    def text(self) -> str:
        """One character for each byte."""
        return self.data.decode("latin-1")

    @cached_property
    def starts(self) -> array[int]:
        """The offset at which each line starts; no line follows a final LF."""
        starts = array("I", [0] if self.data else [])
        at = self.data.find(b"\n")
        last = len(self.data) - 1
        while at != -1 and at < last:
            starts.append(at + 1)
            at = self.data.find(b"\n", at + 1)
        return starts

    @property
    def final_lf(self) -> bool:
        """Whether the last line is ended."""
        return self.data.endswith(b"\n")

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self.starts)

    def bounds(self, index: int) -> tuple[int, int]:
        """Start and end offset of a line (counted from 0), without its LF."""
        starts = self.starts
        if index + 1 < len(starts):
            return starts[index], starts[index + 1] - 1
        return starts[index], len(self.data) - self.final_lf

    def line(self, index: int) -> str:
        """The text of a line (counted from 0), without its LF."""
        start, end = self.bounds(index)
        return self.text[start:end]

    @cached_property
    def dirty(self) -> bytes:
        """For each line 1 where it holds an illegal byte or trailing spaces (C1)."""
        flags = bytearray(len(self))
        for match in _ILLEGAL.finditer(self.text):
            flags[self.index(match.start())] = 1
        return bytes(flags)

    def index(self, offset: int) -> int:
        """The line (counted from 0) that an offset lies in."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def span(self, offset: int, end: int | None = None) -> Span:
        """The span from ``offset`` to ``end``, by default an empty one."""
        end = offset if end is None else end
        line, column = self._place(offset)
        if end == offset:
            return Span(offset, end, line, column, line, column)
        last, last_column = self._place(end - 1)
        return Span(offset, end, line, column, last, last_column + 1)

    def line_span(self, index: int) -> Span:
        """The span of a whole line (counted from 0), without its LF."""
        start, end = self.bounds(index)
        return Span(start, end, index + 1, 1, index + 1, end - start + 1)

    def after_line(self, index: int) -> Span:
        """The empty span where the line after ``index`` starts or would; -1: the file's start.

        Where the last line is not ended, that is its end.
        """
        if index + 1 < len(self):
            return self.span(self.starts[index + 1])
        at = len(self.data)
        if at and not self.final_lf:
            return self.span(at)
        return Span(at, at, len(self) + 1, 1, len(self) + 1, 1)

    def _place(self, offset: int) -> tuple[int, int]:
        if not self.starts:
            return 1, 1
        index = self.index(offset)
        return index + 1, offset - self.starts[index] + 1
