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

__all__ = ["STDIN", "SUFFIX", "Trouble", "find", "read", "read_text", "replace"]

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
        return f"{self.path}: {self.reason}"


def find(paths: Iterable[str]) -> Iterator[str | Trouble]:
    """The files that paths name, each once, folders searched in sorted order.

    Below a folder hidden folders are left out, since they hold caches and
    environments, not one's own capsules.
    """
    seen: set[str] = set()
    for path in paths:
        found: Iterable[str | Trouble] = (
            _below(path) if path != STDIN and Path(path).is_dir() else [path]
        )
        for item in found:
            if isinstance(item, Trouble):
                yield item
            elif item not in seen:
                seen.add(item)
                yield item


def _below(folder: str) -> Iterator[str | Trouble]:
    troubles: list[OSError] = []
    for here, folders, names in os.walk(folder, onerror=troubles.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(SUFFIX):
                yield str(Path(here, name))
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
        raise Trouble(path, _reason(error)) from None


def read_text(path: str, limit: int) -> str | None:
    """Read UTF-8 text of at most ``limit`` bytes, None where there is more; raises Trouble."""
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise Trouble(path, _reason(error)) from None
    return None if len(data) > limit else data.decode("utf-8-sig", "surrogateescape")


def replace(path: str, data: bytes) -> None:
    """Put ``data`` in place of a file's content, all or nothing; raises Trouble.

    Writes through a symbolic link and keeps mode and owner.
    """
    import tempfile  # noqa: PLC0415 - reading needs none

    target = Path(path).resolve()
    temporary: Path | None = None
    try:
        status = target.stat()
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(stat.S_IMODE(status.st_mode))
        if hasattr(os, "chown") and os.geteuid() == 0:
            os.chown(temporary, status.st_uid, status.st_gid)
        temporary.replace(target)
        temporary = None
    except OSError as error:
        raise Trouble(path, f"not written: {_reason(error)}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, IsADirectoryError):
        return "is a folder; name a file"
    return getattr(error, "strerror", None) or str(error)
