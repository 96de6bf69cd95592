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
    from collections.abc import Mapping
    from typing import Any, BinaryIO

__all__ = ["TOO_LONG", "Lines"]

#: The method of the request that stands for a message that was too long.
TOO_LONG = "pcsf/too-long"
_EDGE = 512
_ID = rb'"id"\s*:\s*(-?\d{1,18}|"[^"\\]{1,200}")'
#: Clients write the id first or last; what stands between may hold the word, too.
_FIRST = re.compile(rb'\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?' + _ID)
_LAST = re.compile(_ID + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*\Z')


class Lines:
    """A stream of lines as text, as the SDK reads one.

    ``params`` are those of a request that stands for a message, where ``mark`` is in the
    first message: by it clients of the newest protocol are known, which want them.
    """

    def __init__(
        self,
        stream: BinaryIO,
        mark: str = "",
        params: Mapping[str, Any] | None = None,
        most: int = MESSAGE,
    ) -> None:
        self._stream, self._most = stream, most
        self._mark, self._given = mark.encode(), dict(params or {})
        self._params: dict[str, Any] | None = None

    def readline(self) -> str:
        """The next line, empty at the end."""
        line = self._stream.readline(self._most + 1)
        if self._params is None and line.strip():
            self._params = self._given if self._mark in line else {}
        if len(line) <= self._most or line.endswith(b"\n"):
            return line.decode("utf-8", "replace")
        head, tail = line[:_EDGE], line[-_EDGE:]
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(self._most)
            tail = (tail + line[-_EDGE:])[-_EDGE:]
        found = _FIRST.match(head) or _LAST.search(tail)
        if found is None:
            return "\n"
        request = {"jsonrpc": "2.0", "id": json.loads(found[1]), "method": TOO_LONG}
        return json.dumps({**request, "params": self._params or {}}) + "\n"
