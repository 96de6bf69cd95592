"""What is being done, on a terminal, once it takes longer than a second.

A line on standard error tells what a command is at, how far it is where that is known,
and how long it has taken. There is one for the whole program: `watch` begins it with the
command, `doing` and `counted` say what it is at, `end` takes it away.

Laws: nothing is drawn in the first second, into a pipe, or while the user is being
waited for; the line is off the screen before anything else is written there, and is
never drawn behind an unfinished line.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["counted", "doing", "end", "watch"]

#: Seconds before the line is first drawn, and between one drawing and the next.
DELAY, EVERY = 1.0, 0.1
_WIDTH = 20
_WIPE = b"\r\x1b[2K"
_ERR = 2

_T = TypeVar("_T")


class _Line:
    """The line, and the thread that draws it."""

    def __init__(self, what: str) -> None:
        self.what, self.done, self.total, self.unit = what, 0, 0, ""
        self.begun = time.monotonic()
        self.lock = threading.RLock()
        self.drawn, self.whole, self.waiting = False, True, False
        self.ended = threading.Event()
        os.register_at_fork(after_in_child=self._forked)
        threading.Thread(target=self._run, name="progress", daemon=True).start()

    def _run(self) -> None:
        pause = DELAY
        while not self.ended.wait(pause):
            pause = EVERY
            with self.lock:
                if self.whole and not self.waiting and not self.ended.is_set():
                    self.drawn = True
                    _put(_WIPE + self._text().encode("ascii", "replace"))

    def _text(self) -> str:
        took = f"{time.monotonic() - self.begun:.0f} s"
        if self.total:
            filled = _WIDTH * min(self.done, self.total) // self.total
            bar = "#" * filled + "." * (_WIDTH - filled)
            took = f"[{bar}] {self.done:,} of {self.total:,} {self.unit}, {took}"
        text = f"{self.what}: {took}"
        try:
            room = os.get_terminal_size(_ERR).columns - 1
        except OSError:
            room = 79
        return text if len(text) <= room else took[:room]

    def wipe(self) -> None:
        with self.lock:
            if self.drawn:
                _put(_WIPE)
                self.drawn = False

    def end(self) -> None:
        self.ended.set()
        self.wipe()

    def _forked(self) -> None:
        # The thread stays with the parent, and whatever it held is free here.
        self.lock = threading.RLock()
        self.drawn = False
        self.ended.set()


_line: _Line | None = None


def watch(what: str) -> None:
    """Begin, where people look on: standard error is a terminal that obeys."""
    global _line  # noqa: PLW0603 - there is one terminal
    if _line is not None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return
    _line = _Line(what)
    for name, number in (("stdout", 1), ("stderr", _ERR)):
        stream = getattr(sys, name)
        if stream.isatty() and _is_at(stream, number):
            stream.flush()
            setattr(sys, name, _text_over(_Written(_line, number), stream, write=True))
    if sys.stdin.isatty() and _is_at(sys.stdin, 0):
        sys.stdin = _text_over(_Asked(_line), sys.stdin, write=False)


def end() -> None:
    """Take the line away for good."""
    if _line is not None:
        _line.end()


@contextlib.contextmanager
def doing(what: str, total: int = 0, unit: str = "") -> Iterator[Callable[[int], None] | None]:
    """Say what is being done; gives what is to be told how much is done, if anybody looks on."""
    line = _line
    if line is None or line.ended.is_set():
        yield None
        return
    before = line.what, line.done, line.total, line.unit
    line.what, line.done, line.total, line.unit = what, 0, total, unit

    def step(done: int) -> None:
        line.done = done

    try:
        yield step
    finally:
        line.what, line.done, line.total, line.unit = before


def counted(items: Iterable[_T], what: str, total: int, unit: str) -> Iterator[_T]:
    """The items, counted as they go by."""
    with doing(what, total, unit) as step:
        if step is None:
            yield from items
            return
        for done, item in enumerate(items, start=1):
            yield item
            step(done)


def _is_at(stream: Any, number: int) -> bool:
    try:
        found: int = stream.fileno()
    except (OSError, ValueError):
        return False
    return found == number


def _text_over(raw: io.RawIOBase, old: Any, *, write: bool) -> Any:
    buffer: Any = io.BufferedWriter(raw) if write else io.BufferedReader(raw)
    return io.TextIOWrapper(
        buffer, encoding=old.encoding, errors=old.errors, line_buffering=write, newline=None
    )


class _Written(io.FileIO):
    """A stream to the terminal, for which the line makes room."""

    def __init__(self, line: _Line, number: int) -> None:
        super().__init__(number, "w", closefd=False)
        self._line = line

    def write(self, data: Any, /) -> int:
        with self._line.lock:
            self._line.wipe()
            given = bytes(data)
            done = super().write(given)
            if done:
                self._line.whole = given[done - 1 : done] == b"\n"
            return done


class _Asked(io.FileIO):
    """What the user types: while it is waited for, nothing is drawn over it."""

    def __init__(self, line: _Line) -> None:
        super().__init__(0, "r", closefd=False)
        self._line = line

    def readinto(self, buffer: Any, /) -> int:
        with self._line.lock:
            self._line.wipe()
            self._line.waiting = True
        try:
            return super().readinto(buffer)
        finally:
            self._line.waiting = False


def _put(data: bytes) -> None:
    # The terminal may be gone, which is no trouble of what is being done.
    with contextlib.suppress(OSError):
        os.write(_ERR, data)
