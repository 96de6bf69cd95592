"""The protocol's input: messages line by line, none longer than a server may hold.

Of a longer one its two ends are kept alone, in which its id stands, so that who waits for
an answer gets one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.faces.mcp.bounds import MESSAGE

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["Line", "Lines"]

_EDGE = 512
_ID = rb'"id"\s*:\s*(-?\d{1,18}(?![\d.eE])|"[^"\\]{1,200}")'
#: Clients write the id first or last; what stands between may hold the word, too.
_FIRST = re.compile(rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID)
_LAST = re.compile(_ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')
# Programs of some systems begin a stream with it.
_BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """A line, its text without what UTF-8 cannot read; none if it was too long."""

    text: str | None
    size: int
    head: bytes
    tail: bytes

    @property
    def id(self) -> int | str | None:
        """The id of the request that it is, as far as that can be seen without reading it."""
        found = _FIRST.match(self.head) or _LAST.search(self.tail)
        if found is None:
            return None
        number: int | str = json.loads(found[1].decode("utf-8", "replace"))
        return number


class Lines:
    """A stream of lines, each of them of at most so many bytes."""

    def __init__(self, stream: BinaryIO, most: int = MESSAGE) -> None:
        self._stream, self._most = stream, most

    def read(self) -> Line | None:
        """The next line, None at the end."""
        line = self._stream.readline(self._most + 1)
        if not line:
            return None
        line = line.removeprefix(_BOM)
        size, head, tail = len(line), line[:_EDGE], line[-_EDGE:]
        if size <= self._most or line.endswith(b"\n"):
            return Line(line.decode("utf-8", "replace"), size, head, tail)
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(self._most)
            size += len(line)
            tail = (tail + line[-_EDGE:])[-_EDGE:]
        return Line(None, size, head, tail)
