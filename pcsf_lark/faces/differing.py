"""A unified diff of two texts of any bytes, such as `patch` takes."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["unified"]

_NO_END = b"\n\\ No newline at end of file\n"


def unified(name: str, before: bytes, after: bytes) -> bytes:
    """The diff, its lines' bytes as they are."""
    label = name.encode("utf-8", "surrogateescape")
    lines = difflib.diff_bytes(
        difflib.unified_diff, _lines(before), _lines(after), label, label + b" (mended)"
    )
    return b"".join(line if line.endswith(b"\n") else line + _NO_END for line in lines)


def _lines(data: bytes) -> list[bytes]:
    # LF alone ends a line: bytes.splitlines would break at CR, too.
    return list(_cut(data))


def _cut(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end
