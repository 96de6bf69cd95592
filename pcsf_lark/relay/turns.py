"""Taking turns on one machine, so that writers need not do over what others overtook.

Only a courtesy: what keeps writers apart is the compare-and-set of the store. So a
turn that does not come in time is not waited for, and where the system knows no
file locks there are none. A process that ends, however, gives its turn back.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Any

_locks: Any = None
with contextlib.suppress(ImportError):  # there are none on Windows
    import fcntl

    _locks = fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["turn"]

_NAME = "lock"
#: How often it is asked whether the turn has come, and how long at most, in seconds.
_EVERY, _PATIENCE = 0.002, 20.0


@contextlib.contextmanager
def turn(folder: Path | None) -> Iterator[None]:
    """Wait for the turn of the folder's writers, and hold it within."""
    if _locks is None or folder is None:
        yield
        return
    try:
        handle = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield  # a folder that cannot be written to holds no lock
        return
    try:
        end = time.monotonic() + _PATIENCE
        while not _taken(handle) and time.monotonic() < end:
            time.sleep(_EVERY)
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        _locks.flock(handle, _locks.LOCK_EX | _locks.LOCK_NB)
    except OSError:
        return False
    return True
