"""Asking a command: one process a case, several at a time, none for ever."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark.conformance.judging import Outcome, judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pcsf_lark.conformance.case import Case

__all__ = ["Answer", "ask", "run"]


@frozen
class Answer:
    """What a command did: its exit code (None: out of time; negative: a signal) and its output."""

    exit: int | None
    output: bytes = field(repr=False)
    errors: bytes = field(repr=False)
    seconds: float = 0.0


def ask(command: Sequence[str], case: Case, timeout: float) -> Answer:
    """Give a case to a command. Raises OSError when the command cannot be started."""
    start = time.monotonic()
    # In a group of its own, so that what the command started ends with it.
    process = subprocess.Popen(  # noqa: S603 - the command under test is the caller's own
        [*command, *case.arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(case.stdin, timeout)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        _kill(process)
        output, errors, code = b"", b"", None
    except BaseException:
        _kill(process)
        raise
    return Answer(code, output, errors, time.monotonic() - start)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.communicate()


def run(
    command: Sequence[str], cases: Iterable[Case], *, timeout: float = 10.0, jobs: int = 1
) -> Iterator[Outcome]:
    """Yield each case's outcome, in order, ``jobs`` at a time.

    Raises OSError when the command cannot be started.
    """
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            yield from pool.map(lambda case: judge(case, ask(command, case, timeout)), cases)
        finally:
            pool.shutdown(cancel_futures=True)
