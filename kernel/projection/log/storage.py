"""The only door to the disk: logs are read, and journal entries appended by Pi's rules.

Laws: no byte that was there is ever changed; a line is one write, closed by its own line
end, after a torn tail has been closed by another; the entry hangs on the leaf it was
planned on, and if the log has moved meanwhile nothing is written; an appended entry is on
the disk when `append` returns. Writers of this module exclude each other by a lock on the
file; Pi takes none, so a write that met another between look and write is told of.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from os import SEEK_END
from pathlib import Path
from typing import Any, Final

from attrs import evolve

from kernel.projection.log.branch import SessionTree, read_tree
from kernel.projection.log.inheritance import inherit, noted
from kernel.projection.log.logfile import (
    LogLockedError,
    ReadOnlyLogError,
    TornWriteError,
    holds,
    last_entry,
    locked,
    mapped,
    new_id,
    opened,
    require_writable,
    written,
)
from kernel.projection.log.spelling import stringify
from kernel.sessions.lines import Diagnostic, bounded

__all__ = [
    "DEPTH",
    "LeafMovedError",
    "LogLockedError",
    "LogReplacedError",
    "ReadOnlyLogError",
    "TornWriteError",
    "append",
    "appender",
    "load",
]

#: How many parent sessions of parent sessions are read.
DEPTH: Final = 16


class LeafMovedError(RuntimeError):
    """The log has grown since it was read: read it again and plan anew.

    `written` tells that the entry is in the log all the same, on its old leaf: another
    writer that takes no lock came between the look and the write.

    Attributes:
        expected: The leaf that was planned on.
        found: The leaf there is.
    """

    def __init__(self, expected: str | None, found: str | None, *, written: bool = False) -> None:
        self.expected: str | None = expected
        self.found: str | None = found
        self.written: bool = written
        what = "another entry was written at the same time" if written else f"it is {found} now"
        super().__init__(f"the leaf was {expected}, {what}: read the log again and plan anew")


class LogReplacedError(LeafMovedError):
    """Another session stands in the file than the one that was read; nothing is written."""

    def __init__(self, expected: str | None) -> None:
        super().__init__(expected, None)
        self.args = ("another session stands in the log now: read it again and plan anew",)


def load(path: Path) -> SessionTree:
    """Read a log and what it inherits from the sessions it was forked from.

    A parent session that cannot be read is a diagnostic. Raises OSError for the log itself.
    """
    return _loaded(path, (path.resolve(),))


def _loaded(path: Path, chain: tuple[Path, ...]) -> SessionTree:
    with opened(path) as file:
        tree = read_tree(bounded(file))
    named = tree.parent_session
    if named is None:
        return tree
    found = _parent(path, named)
    if found is None:
        return noted(tree, _warning("MISSING", f"{named!r} is not there"))
    if found in chain:
        tree = noted(tree, _warning("CYCLE", f"{named!r} descends from this session"))
        return evolve(tree, severed=False, claimed=())
    if len(chain) > DEPTH:
        return noted(tree, _warning("DEPTH", f"more than {DEPTH} sessions in a row"))
    try:
        return inherit(tree, _loaded(found, (*chain, found)))
    except OSError as error:
        return noted(tree, _warning("MISSING", f"{named!r} cannot be read ({error.strerror})"))


def _warning(code: str, what: str) -> Diagnostic:
    text = f"the parent session {what}; nothing is inherited from it"
    return Diagnostic(f"PARENT_SESSION_{code}", 1, text)


def _parent(path: Path, named: str) -> Path | None:
    """Find a parent session: where the header says, else beside the log, where both moved."""
    for choice in (path.parent / named, path.parent / Path(named).name):
        try:
            if choice.is_file():
                return choice.resolve()
        except (OSError, ValueError):
            continue
    return None


def append(
    path: Path,
    leaf: str | None,
    custom_type: str,
    data: Any,
    *,
    expected_leaf: str | None,
    now: datetime,
    entry_id: str | None = None,
    session_id: str | None = None,
) -> str:
    """Append a custom entry under a leaf and return its id.

    `expected_leaf` is the last entry of the log as it was read (`tree.leaf`), which is
    `leaf` itself unless an older branch is continued; `session_id` is the session it was read
    of, None where that is not asked; `now` is aware of its zone. Raises LeafMovedError,
    LogReplacedError, ReadOnlyLogError, LogLockedError, TornWriteError, OSError, and ValueError
    for an id already used, a leaf that is not in the log or a time without a zone.
    """
    if now.tzinfo is None:
        raise ValueError("a time needs a zone: give now as datetime.now(UTC)")
    with locked(path) as file:
        found_session = require_writable(path, file)
        if session_id not in (None, found_session):
            raise LogReplacedError(expected_leaf)
        size = file.seek(0, SEEK_END)
        found = last_entry(path, file)
        if found != expected_leaf:
            raise LeafMovedError(expected_leaf, found)
        with mapped(file) as seen:
            if leaf != found and leaf is not None and not holds(seen, leaf):
                raise ValueError(f"no entry has the id {leaf!r}: name the id of an entry")
            name = new_id(seen, entry_id)
            torn = seen[-1:] != b"\n"
        entry = {
            "type": "custom",
            "customType": custom_type,
            "data": data,
            "id": name,
            "parentId": leaf,
            "timestamp": _stamp(now),
        }
        line = stringify(entry).encode() + b"\n"
        if written(file, b"\n" + line if torn else line) != size:
            raise LeafMovedError(expected_leaf, None, written=True)
    return name


def appender(
    path: Path, clock: Callable[[], datetime]
) -> Callable[[SessionTree, str, str, Mapping[str, Any]], str | None]:
    """Return a function that appends under a leaf of a tree as it was read.

    It takes tree, leaf, custom type and data, and returns None where the log has moved.
    """

    def put(tree: SessionTree, leaf: str, custom_type: str, data: Mapping[str, Any]) -> str | None:
        try:
            return append(
                path,
                leaf,
                custom_type,
                data,
                expected_leaf=tree.leaf,
                now=clock(),
                session_id=tree.session_id,
            )
        except LeafMovedError:
            return None

    return put


def _stamp(now: datetime) -> str:
    """Spell a time as JavaScript does: UTC, milliseconds, Z."""
    text = now.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
