"""What names a window: its number, a tag's beginning, a branch, HEAD, and ~N behind those."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cso.errors import UnknownIdError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cso.store import Entry

__all__ = ["ancestors", "base_of", "resolved"]

_BACK = re.compile(r"(.*?)((?:~[0-9]{0,6})+)")
_TAG = re.compile(r"(?:sha256:)?([0-9a-f]{4,64})")


def ancestors(entries: Iterable[Entry], tag: str) -> set[str]:
    """A window's tag and those of all that came before it."""
    parents = {entry.tag: entry.parents for entry in entries}
    seen, queue = {tag}, [tag]
    while queue:
        fresh = [parent for parent in parents.get(queue.pop(), ()) if parent not in seen]
        seen.update(fresh)
        queue.extend(fresh)
    return seen


def base_of(entries: Sequence[Entry], one: str, other: str) -> str | None:
    """The latest window that two windows share, or None."""
    both = ancestors(entries, one) & ancestors(entries, other)
    found = [entry for entry in entries if entry.tag in both]
    return max(found, key=lambda e: (e.window_number, e.position)).tag if found else None


def resolved(
    ref: str,
    entries: Sequence[Entry],
    branches: Mapping[str, str],
    current: str,
    first_parent: Callable[[Entry], str],
) -> str:
    """The tag that a reference names; raises UnknownIdError, which says what there is.

    A number is a window of the branch ``current`` before it is one elsewhere.
    ``first_parent`` gives, of several parents, the one that a window continues.
    """
    back = _BACK.fullmatch(ref)
    name = back[1] if back else ref
    tag = _named(name, entries, branches, current)
    rows = {entry.tag: entry for entry in entries}
    for step in re.findall(r"~([0-9]*)", back[2]) if back else ():
        for _ in range(int(step or 1)):
            entry = rows.get(tag)
            if entry is None or not entry.parents:
                raise UnknownIdError(f"{ref!r:.80} goes back beyond the first window", at="ref")
            tag = entry.parents[0] if len(entry.parents) == 1 else first_parent(entry)
    return tag


def _named(name: str, entries: Sequence[Entry], branches: Mapping[str, str], current: str) -> str:
    if name == "HEAD":
        name = current
    if name in branches:
        return branches[name]
    if name == current:
        raise UnknownIdError("there is nothing yet; `pcsf relay push` begins", at="HEAD")
    if name.isascii() and name.isdigit() and len(name) < 10:
        found = [entry.tag for entry in entries if entry.window_number == int(name)]
        if len(found) > 1 and current in branches:
            mine = ancestors(entries, branches[current])
            found = [tag for tag in found if tag in mine] or found
        if found:
            return _only(name, found)
    match = _TAG.fullmatch(name)
    found = [e.tag for e in entries if match and e.tag.startswith(f"sha256:{match[1]}")]
    if not found:
        last = max((entry.window_number for entry in entries), default=0)
        there = f"windows 1 to {last}, branches {', '.join(branches) or 'none'}"
        raise UnknownIdError(f"nothing is called {name!r:.80}; there are {there}", at="ref")
    return _only(name, found)


def _only(name: str, found: Sequence[str]) -> str:
    if len(found) > 1:
        which = ", ".join(tag[:19] for tag in found[:5])
        raise UnknownIdError(f"{name!r:.80} names several windows: {which}", at="ref")
    return found[0]
