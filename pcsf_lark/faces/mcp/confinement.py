"""The roots: which files a call may read, and how they are opened.

Laws of this file: a path is relative and has no `..`; what it leads to, links followed,
lies below a root; it is a regular file, judged before and after it is opened, and opened
step by step from the root so that no link put in its way meanwhile is followed. What lies
in a relay's folder is the relay's to read: there is its key, and a database that closing
what was read of it would unlock.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

__all__ = ["Roots"]

_RELAY = ".pcsf"
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_PLAIN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Roots:
    """The folders that a server was started with."""

    def __init__(self, folders: Iterable[str] = ()) -> None:
        """Take folders; raises Trouble for one that is none."""
        self._roots = tuple(map(_root, folders))

    def __iter__(self) -> Iterator[Path]:
        return iter(self._roots)

    def open(self, path: str, at: str = "path") -> tuple[BinaryIO, int]:
        """A regular file below a root, and its size in bytes; raises Refusal."""
        root, place = self._found(path, at)
        parts = place.relative_to(root).parts
        if _RELAY in map(str.casefold, parts):
            what = f"{path!r:.200} belongs to a relay"
            raise Refusal(what, "use relay_push and relay_head for it", at=at, code="path")
        return self._stream(root, parts, path, at)

    def _stream(
        self, root: Path, parts: tuple[str, ...], path: str, at: str
    ) -> tuple[BinaryIO, int]:
        try:
            handle = _opened(root, parts, path, at)
            stream = os.fdopen(handle, "rb")
        except OSError as error:
            raise _unreadable(path, error, at) from None
        return stream, os.fstat(stream.fileno()).st_size

    def read(self, path: str, most: int, at: str = "path") -> bytes:
        """A file's bytes, ``most`` of them at most; raises Refusal."""
        stream, size = self.open(path, at)
        with stream:
            try:
                data = stream.read(most + 1) if size <= most else b""
            except OSError as error:
                raise _unreadable(path, error, at) from None
        if size > most or len(data) > most:
            what = f"{path!r:.200} has {max(size, len(data)):,} bytes"
            raise Refusal(what, f"name a file of at most {most:,}", at=at, code="size")
        return data

    def written(self, path: str, at: str = "path") -> float:
        """When a regular file below a root was last written; raises Refusal."""
        with self.open(path, at)[0] as stream:
            return os.fstat(stream.fileno()).st_mtime

    def folder(self, path: str, at: str = "path") -> Path:
        """The real place of a folder below a root; raises Refusal."""
        _, place = self._found(path, at)
        if not place.is_dir():
            raise Refusal(f"{path!r:.200} is no folder", "name a folder", at=at, code="path")
        return place

    def file(self, path: str, at: str = "path") -> Path:
        """The real place of a regular file below a root, a relay's too; raises Refusal."""
        root, place = self._found(path, at)
        self._stream(root, place.relative_to(root).parts, path, at)[0].close()
        return place

    def holds(self, place: Path) -> bool:
        """Whether a place, its links followed, lies below a root; it may not exist yet."""
        real = place.resolve()
        return any(real.is_relative_to(root) for root in self._roots)

    def _found(self, path: str, at: str) -> tuple[Path, Path]:
        """A root and the real place below it that a path leads to."""
        _require_sound(path, at, self._roots)
        if not self._roots:
            what = "this server was started without a folder that it may read"
            mend = "send the text itself, or ask the user to start `pcsf mcp --root FOLDER`"
            raise Refusal(what, mend, at=at, code="path")
        for root in self._roots:
            try:
                place = (root / path).resolve(strict=True)
            except FileNotFoundError:
                continue
            except (OSError, ValueError, RuntimeError) as error:
                raise _unreadable(path, error, at) from None
            if not place.is_relative_to(root):
                what = f"{path!r:.200} leads out of its root by a link"
                mend = "name a file that lies below a root itself"
                raise Refusal(what, mend, at=at, code="path")
            return root, place
        mend = "name it as it lies below a root, such as notes/a.pcsf"
        raise Refusal(f"there is no {path!r:.200}", mend, at=at, code="absent")


def _root(folder: str) -> Path:
    try:
        place = Path(folder).resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise Trouble(folder, getattr(error, "strerror", None) or str(error)) from None
    if not place.is_dir():
        raise Trouble(folder, "is no folder; --root names a folder to read from")
    return place


def _require_sound(path: str, at: str, roots: tuple[Path, ...]) -> None:
    """Refuse a path that says by itself that it leads elsewhere."""
    windows = PureWindowsPath(path)
    reasons = (
        (not path.strip() or "\0" in path, "is empty or holds a NUL"),
        ("://" in path, "is an address"),
        (PurePosixPath(path).is_absolute() or bool(windows.anchor), "is absolute"),
        (".." in PurePosixPath(path).parts or ".." in windows.parts, "has `..` in it"),
    )
    for wrong, what in reasons:
        if wrong:
            better = next((Path(path).relative_to(r) for r in roots if _below(path, r)), None)
            mend = "send a path relative to a root, such as notes/a.pcsf"
            if better is not None:
                mend = f"send {better.as_posix()!r}, which is relative to the root"
            raise Refusal(f"{path!r:.200} {what}", mend, at=at, code="path")


def _below(path: str, root: Path) -> bool:
    """Whether a path names something below a root, by its words alone."""
    place = Path(path)
    return place != root and place.is_relative_to(root) and ".." not in place.parts


def _opened(root: Path, parts: tuple[str, ...], path: str, at: str) -> int:
    """Open step by step; where the system cannot, the real place at once."""
    if os.open not in os.supports_dir_fd or not parts:
        _require_file(os.lstat(root.joinpath(*parts)), path, at)
        return os.open(root.joinpath(*parts), os.O_RDONLY | _PLAIN | _NO_WAIT)
    here = os.open(root, os.O_RDONLY | _DIRECTORY | _PLAIN)
    try:
        for part in parts[:-1]:
            below = os.open(part, os.O_RDONLY | _DIRECTORY | _PLAIN, dir_fd=here)
            os.close(here)
            here = below
        # Opening a device may do something to it.
        _require_file(os.stat(parts[-1], dir_fd=here, follow_symlinks=False), path, at)
        handle = os.open(parts[-1], os.O_RDONLY | _PLAIN | _NO_WAIT, dir_fd=here)
    finally:
        os.close(here)
    try:
        _require_file(os.fstat(handle), path, at)
    except Refusal:
        os.close(handle)
        raise
    return handle


def _require_file(status: os.stat_result, path: str, at: str) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no regular file"
        raise Refusal(f"{path!r:.200} is {kind}", "name a regular file", at=at, code="path")


def _unreadable(path: str, error: Exception, at: str) -> Refusal:
    reason = getattr(error, "strerror", None) or type(error).__name__
    what = f"{path!r:.200} cannot be read: {reason}"
    return Refusal(what, "name a file that can be read below a root", at=at, code="path")
