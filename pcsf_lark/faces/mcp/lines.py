"""The protocol's input: messages line by line, none longer than a server may hold.

A longer one is not kept: in its place stands a request with its id, which the server
refuses, so that who waits for an answer gets one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pcsf_lark.faces.mcp.bounds import MESSAGE

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["TOO_LONG", "Lines"]

#: The method of the request that stands for a message that was too long.
TOO_LONG = "pcsf/too-long"
_EDGE = 512
_ID = rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{1,200}")'
#: Clients write the id first or last; what stands between may hold the word, too.
_FIRST = re.compile(rb'\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID)
_LAST = re.compile(_ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


class Lines:
    """A stream of lines as text, as the SDK reads one."""

    def __init__(self, stream: BinaryIO, most: int = MESSAGE) -> None:
        self._stream, self._most = stream, most

    def readline(self) -> str:
        """The next line, empty at the end."""
        line = self._stream.readline(self._most + 1)
        if len(line) <= self._most or line.endswith(b"\n"):
            return line.decode("utf-8", "replace")
        head, tail = line[:_EDGE], line[-_EDGE:]
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(self._most)
            tail = (tail + line[-_EDGE:])[-_EDGE:]
        found = _FIRST.match(head) or _LAST.search(tail)
        if found is None:
            return "\n"
        number = json.loads(found[1])
        return json.dumps({"jsonrpc": "2.0", "id": number, "method": TOO_LONG}) + "\n"
