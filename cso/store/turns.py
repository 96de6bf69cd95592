"""Turns: a courtesy among writers, so that few make what another one overtakes.

What keeps writers apart is the compare-and-set of a head; a turn only saves them
from doing things over. So one that does not come in time is not waited for, and
where there are no locks there are no turns. On SQLite it is a lock on a file beside
the database, on PostgreSQL an advisory lock; who ends, however, gives it back.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Engine

__all__ = ["turn"]

_locks: Any = None
with contextlib.suppress(ImportError):  # there are none on Windows
    import fcntl

    _locks = fcntl

#: How often a file is asked for, and how long at most a turn is waited for, in seconds.
_EVERY, _PATIENCE = 0.002, 20.0
#: Keeps our advisory locks apart from those of others in the database.
_SPACE = 7265


@contextlib.contextmanager
def turn(engine: Engine, path: Path | None, session: str) -> Iterator[None]:
    """Wait for the turn of a session's writers, and hold it within."""
    with contextlib.ExitStack() as held:
        if path is not None and _locks is not None:
            _wait_for_file(f"{path}-turn", held)
        elif engine.dialect.name == "postgresql":
            _wait_for_server(held.enter_context(engine.connect()), session)
        yield


def _wait_for_file(name: str, held: contextlib.ExitStack) -> None:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(name, flags, 0o600)
    except OSError:
        return  # a folder that cannot be written to holds no lock
    held.callback(os.close, handle)
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            _locks.flock(handle, _locks.LOCK_EX | _locks.LOCK_NB)
            # A process forked meanwhile has the file open as well: closing alone would not do.
            held.callback(_locks.flock, handle, _locks.LOCK_UN)
            return
        time.sleep(_EVERY)


def _wait_for_server(connection: Connection, session: str) -> None:
    """Take a lock that lasts as long as the transaction, which closing ends."""
    try:
        connection.execute(text(f"SET LOCAL lock_timeout = '{_PATIENCE:.0f}s'"))
        wanted = text("SELECT pg_advisory_xact_lock(:space, hashtext(:session))")
        connection.execute(wanted, {"space": _SPACE, "session": session})
    except DBAPIError:
        connection.rollback()
