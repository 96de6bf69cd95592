"""What may be thrown away: leftovers of writes that were interrupted, and nothing else.

Signed windows, events and branches are history and stay; the store holds nothing
unsigned. Leftovers are files of `.pcsf` that an interrupted process left: a
database that was being made, a file that was to replace another. They are gone
through only when they are an hour old, so that none is in use.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.relay.home import Home

__all__ = ["Leftover", "leftovers", "swept"]

_PATTERNS = (".pcsf-*.tmp", ".*.new", ".*.new-journal")
_AGE = 3600.0


@frozen
class Leftover:
    """A file nobody needs any more, and its size in bytes."""

    path: Path
    size: int


def leftovers(folder: Path, now: float) -> tuple[Leftover, ...]:
    """The leftovers in a folder at ``now``, in seconds since the epoch."""
    return tuple(sorted(_found(folder, now), key=lambda one: one.path))


def _found(folder: Path, now: float) -> Iterator[Leftover]:
    for pattern in _PATTERNS:
        for path in folder.glob(pattern):
            try:
                status = path.lstat()
            except FileNotFoundError:
                continue
            if path.is_file() and not path.is_symlink() and now - status.st_mtime > _AGE:
                yield Leftover(path, status.st_size)


def swept(home: Home, now: float, *, dry_run: bool) -> tuple[Leftover, ...]:
    """Delete the leftovers of a repository, unless ``dry_run``; gives what was found."""
    folders = {home.folder} if home.folder else set()
    if "://" not in home.store:
        folders.add(Path(home.store).parent)
    found = tuple(one for folder in sorted(folders) for one in leftovers(folder, now))
    for one in () if dry_run else found:
        one.path.unlink(missing_ok=True)  # one that is gone already is as good
    return found
