"""A log file under the hand of its writer: the lock, the end of the file, the one write.

Laws: reading looks at no more of the file than it must; the lock is given back with the
file; writing adds to the end and never moves it.
"""

import json
import mmap
import os
import secrets
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from kernel.projection.log.branch import read_tree
from kernel.sessions.lines import Diagnostic, bounded, read_lines

if sys.platform != "win32":
    import fcntl

__all__ = [
    "VERSION",
    "LogLockedError",
    "ReadOnlyLogError",
    "TornWriteError",
    "holds",
    "last_entry",
    "locked",
    "mapped",
    "new_id",
    "opened",
    "require_writable",
    "written",
]

#: The one version of the format that is written.
VERSION: Final = 3
_OLD: Final = (1, 2)
_TAIL: Final = 1 << 16
_TRIES: Final = 200
_PAUSE: Final = 0.025
_MIGRATE: Final = "open the session once in Pi, which migrates it to version 3, then repeat this"


class ReadOnlyLogError(ValueError):
    """The log is of a kind that is only read; the message says how to mend that."""


class LogLockedError(RuntimeError):
    """Another writer has held the log for too long."""


class TornWriteError(OSError):
    """The disk took only a part of an entry; all that stood before it is as it was.

    `written` tells that the entry is in the log all the same: only its line end is not.
    """

    def __init__(self, *, written: bool) -> None:
        self.written = written
        part = "the entry, but not its line end" if written else "only a part of the entry"
        mend = "read the log again" if written else "repeat this"
        super().__init__(f"the disk took {part}: free some space, then {mend}")


def opened(path: Path) -> IO[bytes]:
    """Open a log for reading; a pipe would be waited for."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(f"{path.name} is no regular file: save the log to one first")
    return path.open("rb")


@contextmanager
def locked(path: Path) -> Iterator[IO[bytes]]:
    """Open a log for appending, and keep other writers of this module out meanwhile."""
    opened(path).close()
    # A log that is not there must not come to be.
    handle = os.open(path, os.O_RDWR | os.O_APPEND)
    with os.fdopen(handle, "r+b") as file:
        if sys.platform != "win32":
            _take(file, path)
        yield file  # closing it gives the lock back


def _take(file: IO[bytes], path: Path) -> None:
    for _ in range(_TRIES):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_PAUSE)
        else:
            return
    raise LogLockedError(f"another writer holds {path.name}: end it, then repeat this")


def require_writable(path: Path, file: IO[bytes]) -> str:
    """Return the id of a log's session.

    Raises ReadOnlyLogError for a log that Pi would not open, or would rewrite.
    """
    file.seek(0)
    notes: list[Diagnostic] = []
    first = next((line.value for line in read_lines(bounded(file), notes)), None)
    header = first if isinstance(first, Mapping) and first.get("type") == "session" else {}
    if not isinstance(header.get("id"), str) or any(note.code == "BOM" for note in notes):
        raise ReadOnlyLogError(
            f"{path.name} does not begin with a session header, so Pi does not open it: "
            f"only logs that Pi opens are written to"
        )
    version = header.get("version", 1)
    if version in _OLD:
        raise ReadOnlyLogError(
            f"{path.name} has version {version} of the format, whose entries have no lasting "
            f"ids: {_MIGRATE}"
        )
    if version != VERSION:
        raise ReadOnlyLogError(
            f"{path.name} has version {version!r} of the format, only version {VERSION} is "
            f"written to: use a release that knows it"
        )
    return str(header["id"])


def last_entry(path: Path, file: IO[bytes]) -> str | None:
    """Return the id of the last entry, looking at no more of the end than needed."""
    size = file.seek(0, os.SEEK_END)
    reach = _TAIL
    while reach < size:
        file.seek(size - reach)
        lines = file.read(reach).split(b"\n")[1:]
        values = [line.value for line in read_lines((line + b"\n" for line in lines), [])]
        entries = [value for value in values if isinstance(value, Mapping)]
        if entries:
            if isinstance(entries[-1].get("id"), str) and entries[-1].get("type") != "session":
                return str(entries[-1]["id"])
            break
        reach *= 4
    with path.open("rb") as whole:
        return read_tree(bounded(whole)).leaf


@contextmanager
def mapped(file: IO[bytes]) -> Iterator[mmap.mmap]:
    """Give the bytes of a log to search in."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as seen:
        yield seen


def holds(seen: mmap.mmap, name: str) -> bool:
    """Tell whether an id stands anywhere in a log."""
    return seen.find(json.dumps(name, ensure_ascii=False).encode()) >= 0


def new_id(seen: mmap.mmap, wanted: str | None) -> str:
    """Return an id that stands nowhere in the log, not even as a reference."""
    if wanted is not None:
        if holds(seen, wanted):
            raise ValueError(f"the id {wanted!r} is used in this log: leave it out to get one")
        return wanted
    while holds(seen, name := secrets.token_hex(4)):
        pass
    return name


def written(file: IO[bytes], data: bytes) -> int:
    """Write to the end, at once and to the disk; return where that end was."""
    count = os.write(file.fileno(), data)
    end = os.lseek(file.fileno(), 0, os.SEEK_CUR)
    os.fsync(file.fileno())
    if count != len(data):
        raise TornWriteError(written=count == len(data) - 1)
    return end - count
