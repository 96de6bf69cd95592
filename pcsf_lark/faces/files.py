"""Files at the edge: finding capsules, reading with a bound, writing whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pcsf_lark.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "STDIN",
    "SUFFIX",
    "Trouble",
    "find",
    "read",
    "read_bytes",
    "read_text",
    "reason",
    "replace",
    "write",
]

#: The path that stands for standard input.
STDIN = "-"
#: What files below a folder must end in to be found.
SUFFIX = ".pcsf"


class Trouble(Exception):  # noqa: N818 - the exit code's own word
    """I/O that failed: which path, and the system's reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        """``path: reason``."""
        return f"{self.path or repr(self.path)}: {self.reason}"


def find(paths: Iterable[str]) -> Iterator[str | Trouble]:
    """The files that paths name, each once, folders searched in sorted order.

    Below a folder hidden folders are left out, since they hold caches and
    environments, not one's own capsules.
    """
    seen: set[str] = set()
    for path in paths:
        found: Iterable[str | Trouble] = (
            _below(path) if path != STDIN and os.path.isdir(path) else [path]  # noqa: PTH112 - never raises
        )
        for item in found:
            if isinstance(item, Trouble):
                yield item
            elif (place := os.path.normpath(item)) not in seen:
                seen.add(place)
                yield item


def _below(folder: str) -> Iterator[str | Trouble]:
    troubles: list[OSError] = []
    for here, folders, names in os.walk(folder, onerror=troubles.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(here, name)
            # A pipe of that name would make us wait for ever; a link to nothing is told.
            if name.endswith(SUFFIX) and (path.is_file() or not path.exists()):
                yield str(path)
    for trouble in troubles:
        yield Trouble(str(trouble.filename), trouble.strerror or "cannot be read")


def read(path: str) -> Source:
    """Read a file, or standard input, as far as D20 allows; raises Trouble."""
    try:
        if path == STDIN:
            return Source.read(sys.stdin.buffer)
        with Path(path).open("rb") as stream:
            status = os.fstat(stream.fileno())
            return Source.read(stream, status.st_size if stat.S_ISREG(status.st_mode) else None)
    except (OSError, ValueError) as error:
        raise Trouble(path, reason(error)) from None


def read_bytes(path: str, limit: int) -> bytes | None:
    """Read at most ``limit`` bytes, None where there are more; raises Trouble."""
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise Trouble(path, reason(error)) from None
    return None if len(data) > limit else data


def read_text(path: str, limit: int) -> str | None:
    """Read UTF-8 text of at most ``limit`` bytes, None where there is more; raises Trouble."""
    data = read_bytes(path, limit)
    return None if data is None else data.decode("utf-8-sig", "surrogateescape")


def replace(path: str, data: bytes) -> None:
    """Put ``data`` in place of a file's content, all or nothing; raises Trouble.

    Writes through a symbolic link and keeps the mode, and as root the owner.
    """
    try:
        status = Path(path).stat()
        if not stat.S_ISREG(status.st_mode):
            raise Trouble(path, "not written: it is no regular file")
        _swap(Path(path).resolve(), data, status)
    except OSError as error:
        raise Trouble(path, f"not written: {reason(error)}") from None


def write(path: str, data: bytes) -> None:
    """Make ``data`` the content of a file that may not exist yet; raises Trouble.

    A reader sees the old content or the new, whole, however many write at the
    same time. A device or a pipe is written to, not replaced; ``-`` is
    standard output.
    """
    try:
        if path == STDIN:
            sys.stdout.buffer.write(data)
            return
        try:
            status = Path(path).stat()
        except FileNotFoundError:
            status = None
        if status is None or stat.S_ISREG(status.st_mode):
            _swap(Path(path).resolve(), data, status)
        else:
            with Path(path).open("wb") as stream:
                stream.write(data)
    except (OSError, ValueError) as error:
        raise Trouble(path, f"not written: {reason(error)}") from None


def _swap(target: Path, data: bytes, status: os.stat_result | None) -> None:
    """Write beside the target and rename over it; ``status`` is that of the file there is."""
    temporary = target.with_name(f".pcsf-{os.getpid()}-{os.urandom(6).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    # What replaces a file stays closed to others until it has that file's mode.
    mode = 0o600 if status else 0o666
    try:  # from here on, since Ctrl-C may come as soon as the file is there
        with os.fdopen(os.open(temporary, flags, mode), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if status:
            if hasattr(os, "chown") and os.geteuid() == 0:
                os.chown(temporary, status.st_uid, status.st_gid)
            temporary.chmod(stat.S_IMODE(status.st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def reason(error: OSError | ValueError) -> str:
    """What the system says of a path that cannot be used, in a few words."""
    if isinstance(error, IsADirectoryError):
        return "is a folder; name a file"
    return getattr(error, "strerror", None) or str(error)
