"""What may be thrown away: leftovers of writes that were interrupted, and nothing else.

Signed windows, events and branches are history and stay; the store holds nothing
unsigned. Leftovers are files that an interrupted process left: in `.pcsf` one that was
to replace another, beside the database one that was being made. They are gone
through only when they are an hour old, so that none is in use.
"""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.relay.home import Home

__all__ = ["Leftover", "leftovers", "swept"]

#: In `.pcsf`, and beside a database that is elsewhere: there a made-to-be one alone.
_OURS = (".pcsf-*.tmp",)
_MADE = (".{}.????????.new", ".{}.????????.new-journal")
_AGE = 3600.0
_SQLITE, _JOURNAL = b"SQLite format 3\0", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"


@frozen
class Leftover:
    """A file nobody needs any more, and its size in bytes."""

    path: Path
    size: int


def leftovers(folder: Path | None, database: Path | None, now: float) -> tuple[Leftover, ...]:
    """The leftovers of a `.pcsf` and of a database at ``now``, in seconds since the epoch."""
    found: dict[Path, Leftover] = {}
    if folder is not None:
        found |= {one.path: one for one in _found(folder, _OURS, now)}
    if database is not None:
        names = [form.format(glob.escape(database.name)) for form in _MADE]
        rows = _found(database.parent, names, now)
        found |= {one.path: one for one in rows if _is_made(one.path)}
    return tuple(sorted(found.values(), key=lambda one: one.path))


def _is_made(path: Path) -> bool:
    """Whether a file is empty, a database or a journal: what making a store leaves."""
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_SQLITE))
    except OSError:
        return False
    return not start or start == _SQLITE or start.startswith(_JOURNAL) or not start.strip(b"\0")


def _found(folder: Path, patterns: Iterable[str], now: float) -> Iterator[Leftover]:
    for pattern in patterns:
        for path in folder.glob(pattern):
            try:
                status = path.lstat()
            except FileNotFoundError:
                continue
            if path.is_file() and not path.is_symlink() and now - status.st_mtime > _AGE:
                yield Leftover(path, status.st_size)


def swept(home: Home, now: float, *, dry_run: bool) -> tuple[Leftover, ...]:
    """Delete the leftovers of a repository, unless ``dry_run``; gives what was found."""
    database = Path(home.store) if "://" not in home.store else None
    found = leftovers(home.folder, database, now)
    for one in () if dry_run else found:
        one.path.unlink(missing_ok=True)  # one that is gone already is as good
    return found
