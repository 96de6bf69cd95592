"""A progress bar on a terminal, drawn on stderr and wiped before anything else is said."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["shown"]

_WIDTH = 30
#: Fewer files than this are done before a bar could be read.
_LEAST = 50
_EVERY = 0.1

_T = TypeVar("_T")


def shown(items: Iterable[_T], total: int) -> Iterator[_T]:
    """The items, with a bar while the next one is waited for."""
    if total < _LEAST:
        yield from items
        return
    due = time.monotonic() + _EVERY
    drawn = False
    for done, item in enumerate(items, start=1):
        if drawn:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
        yield item
        # What was said of the item must be on the screen before the bar is.
        drawn = time.monotonic() >= due
        if drawn:
            due = time.monotonic() + _EVERY
            sys.stdout.flush()
            filled = _WIDTH * done // total
            bar = "#" * filled + "." * (_WIDTH - filled)
            sys.stderr.write(f"[{bar}] {done} of {total} files")
            sys.stderr.flush()
    if drawn:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()
