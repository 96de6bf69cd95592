"""Asking a command: one process a case, several at a time, none for ever.

Laws: a case ends within its time-out, whatever the command starts or holds
open; no more than a mebibyte is read from either stream; what a command started
ends with it, save what left its process group on purpose. POSIX only: it takes
process groups.
"""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import IO, TYPE_CHECKING, cast

from pcsf_lark.conformance.answer import Answer
from pcsf_lark.conformance.judging import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pcsf_lark.conformance import Case, Outcome

__all__ = ["MOST", "ask", "run"]

#: Bytes that are read from standard output, and from standard error.
MOST = 1 << 20
_CHUNK = 1 << 16
#: Seconds between looks at whether a command that is silent has ended.
_PULSE = 0.05
#: Seconds that what a command started may write on after its end.
_GRACE = 0.25


def run(
    command: Sequence[str], cases: Iterable[Case], *, timeout: float = 10.0, jobs: int = 1
) -> Iterator[Outcome]:
    """Yield each case's outcome, in order, ``jobs`` at a time.

    Raises OSError when the command cannot be started. Who stops listening, or
    is interrupted, ends what still runs.
    """
    stop = Event()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            yield from pool.map(lambda case: judge(case, ask(command, case, timeout, stop)), cases)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def ask(command: Sequence[str], case: Case, timeout: float, stop: Event | None = None) -> Answer:
    """Give a case to a command, until ``stop`` is set at the most.

    Raises OSError when the command cannot be started.
    """
    start = time.monotonic()
    # In a group of its own, so that what the command started ends with it.
    process = subprocess.Popen(  # noqa: S603 - the command under test is the caller's own
        [*command, *case.arguments],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    talk = _Talk(process, case.stdin, start + timeout, stop or Event())
    try:
        trouble = talk.held()
        code = None if trouble else process.returncode
    finally:
        if not talk.swept:
            _kill(process)
        process.wait()
        talk.close()
    return Answer(code, talk.output, talk.errors, time.monotonic() - start, trouble)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and all of its group that is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


class _Talk:
    """The input still to be given to a process, and what it has said so far."""

    def __init__(
        self, process: subprocess.Popen[bytes], data: bytes, deadline: float, stop: Event
    ) -> None:
        self._process, self._left = process, memoryview(data)
        self._deadline, self._stop = deadline, stop
        #: Whether the group was ended after the process: once only, since the number of a
        #: group that is gone may be given to another.
        self.swept = False
        self._streams = [
            cast("IO[bytes]", one) for one in (process.stdin, process.stdout, process.stderr)
        ]
        self._in, self._out, self._err = (one.fileno() for one in self._streams)
        self._heard = {self._out: bytearray(), self._err: bytearray()}
        self._selector = selectors.DefaultSelector()
        os.set_blocking(self._in, False)
        self._selector.register(self._in, selectors.EVENT_WRITE)
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)

    @property
    def output(self) -> bytes:
        return bytes(self._heard[self._out])

    @property
    def errors(self) -> bytes:
        return bytes(self._heard[self._err])

    def held(self) -> str:
        """Talk until the process has ended; return why it must be stopped, or nothing."""
        lingers = 0.0
        while self._selector.get_map():
            if late := self._late():
                return _HELD if lingers else late
            if time.monotonic() >= lingers > 0:
                _kill(self._process)
                lingers, self.swept = math.inf, True
            for key, _ in self._selector.select(_PULSE):
                self._give() if key.fd == self._in else self._hear(key.fd)
            if any(len(heard) > MOST for heard in self._heard.values()):
                return _MUCH
            if not lingers and self._process.poll() is not None:
                lingers = time.monotonic() + _GRACE
                self._forget(self._in)
        while not (late := self._late()):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_PULSE)
                return ""
        return late

    def _late(self) -> str:
        if self._stop.is_set():
            return "was stopped"
        return _LATE if time.monotonic() >= self._deadline else ""

    def close(self) -> None:
        self._selector.close()
        for stream in self._streams:
            stream.close()

    def _give(self) -> None:
        try:
            self._left = self._left[os.write(self._in, self._left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._left = self._left[:0]
        if not self._left:
            self._forget(self._in)
            self._streams[0].close()

    def _hear(self, stream: int) -> None:
        data = os.read(stream, _CHUNK)
        self._heard[stream] += data
        if not data:
            self._forget(stream)

    def _forget(self, stream: int) -> None:
        if stream in self._selector.get_map():
            self._selector.unregister(stream)


_LATE = "took too long"
_HELD = "took too long: it ended, but what it started in another session holds its output open"
_MUCH = f"printed more than {MOST:,} bytes, which is more than any answer"
