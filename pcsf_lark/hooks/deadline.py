"""The end of a hook's patience: a thread that ends the process, quietly, when time is up.

    with Deadline(5, journal) as deadline:
        ...
        deadline.last(lambda: sys.stdout.write(answer))

A hook may hang in a read, a connection or a loop of C; only the end of the process
ends all of them. Law: what is written goes through `last`, so that an answer is
whole or not there.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.hooks.journal import Journal

__all__ = ["Deadline"]

#: Seconds an answer that is being written may still take.
_GRACE = 1.0


class Deadline:
    """Seconds from now on, after which the process ends with exit code 0."""

    def __init__(self, seconds: float, journal: Journal) -> None:
        self._journal = journal
        self._writing = threading.Lock()
        self._timer = self._started(seconds)

    def __enter__(self) -> Self:
        """Give the deadline itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop waiting for it."""
        self._timer.cancel()

    def move(self, seconds: float) -> None:
        """Set it anew, so many seconds from now."""
        self._timer.cancel()
        self._timer = self._started(seconds)

    def last(self, write: Callable[[], object]) -> None:
        """Write an answer; from here on the deadline is off."""
        with self._writing:
            write()
        self._timer.cancel()

    def _started(self, seconds: float) -> threading.Timer:
        timer = threading.Timer(seconds, self._end, (seconds,))
        timer.daemon = True
        timer.start()
        return timer

    def _end(self, seconds: float) -> None:
        self._writing.acquire(timeout=_GRACE)
        self._journal.note(f"gave up after {seconds:g} s")
        os._exit(0)
