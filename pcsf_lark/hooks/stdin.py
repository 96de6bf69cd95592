"""What an agent writes to a hook: one JSON object, bounded, whether or not the pipe is closed."""

from __future__ import annotations

import json
import os
from typing import Any

__all__ = ["LARGEST", "BadInput", "read_object", "text_of"]

#: Bytes that are read, at most; an event has a few hundred.
LARGEST = 4 << 20
_CHUNK = 1 << 16
_PATH = 4096


class BadInput(Exception):  # noqa: N818 - it becomes a line of the log
    """What came in is no event; says why."""


def read_object(handle: int) -> dict[str, Any]:
    """Read one JSON object from a file handle; raises BadInput.

    It is whole when it can be read, also where the writer forgets to close.
    """
    data = b""
    while chunk := os.read(handle, _CHUNK):
        data += chunk
        if len(data) > LARGEST:
            raise BadInput(f"more than {LARGEST:,} bytes on standard input")
        if chunk.rstrip().endswith(b"}"):
            try:
                return _object(data)
            except BadInput:
                continue  # a brace inside, or the end of what is no JSON
    if not data.strip():
        raise BadInput("nothing on standard input")
    return _object(data)


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON on standard input: {type(error).__name__}") from None
    if not isinstance(value, dict):
        raise BadInput("a JSON object was expected on standard input")
    return value


def text_of(value: dict[str, Any], name: str) -> str:
    """A member that is a text fit for a path or a name; empty where there is none."""
    found = value.get(name)
    if not isinstance(found, str) or len(found) > _PATH or "\0" in found:
        return ""
    return found
