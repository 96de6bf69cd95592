"""Private folders of a call, which are gone with it, and with a server that is told to end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["folder", "tidy_on_signals"]

_open: set[str] = set()


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder that nobody else may look into."""
    with tempfile.TemporaryDirectory(prefix="pcsf-") as place:
        _open.add(place)
        try:
            yield Path(place)
        finally:
            _open.discard(place)


def tidy_on_signals() -> None:
    """Have signals end the process as they do, the folders removed before.

    A thread that waits for input would keep an orderly end waiting for it.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _end)


def _end(number: int, _frame: object) -> None:
    for place in tuple(_open):
        shutil.rmtree(place, ignore_errors=True)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
