"""Files: which were read, changed, moved, deleted, and which a summary must name.

Laws: mechanical, from the arguments of calls and the words of commands alone, so no file
named there is missed; one fact a file, of its last touch that had an effect; a relative
path is the absolute one that ends in it, where only one does.

Hard: a file changed or deleted whose call did not fail, unless it lies in a scratch
folder or was made and deleted again. Soft: read, moved away, folders made.
"""

# ruff: noqa: SIM905 - a table of words reads best as text

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen

from kernel.projection.quality.actions import Action, Named
from kernel.projection.quality.facts import Completion, Fact, Need
from kernel.projection.quality.reading import Reading, fact_of

__all__ = ["DEEPEST", "artifacts", "endings_of", "joined_paths", "plain_path"]

_SCRATCH: Final = ("/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/proc/")  # noqa: S108 - read, not used
#: No file is told from another by more of its path than this many names.
DEEPEST: Final = 12
_EFFECTS: Final = frozenset(("changed", "deleted", "moved"))
_WEIGHT: Final[Mapping[str, int]] = {"read": 0, "made": 1, "moved": 2, "deleted": 2, "changed": 2}


@frozen
class _Touched:
    """A touch with what came of it."""

    named: Named
    how: str
    state: Completion
    made: bool


def plain_path(path: str) -> str:
    """Return a path without `@`, `./`, `a/..` and trailing slashes; doing it twice is doing it once."""
    plain = path.strip().replace("\\", "/").lstrip("@")
    plain = posixpath.normpath(plain) if plain else plain
    return plain if plain == path else plain_path(plain)


def endings_of(path: str) -> Iterator[str]:
    """Yield a path, then its endings at its slashes, the longest of DEEPEST folders."""
    yield path
    parts = path.split("/")
    for count in range(min(len(parts) - 1, DEEPEST), 0, -1):
        ending = "/".join(parts[-count:])
        if ending:
            yield ending


def joined_paths(paths: Iterable[str]) -> dict[str, str]:
    """Map each path to the longer one that alone ends in it, or to itself."""
    claimed: dict[str, str | None] = {}
    found: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (-path.count("/"), path)):
        owner = None if path.startswith("/") else claimed.get(path)
        found[path] = owner or path
        if owner is None:
            for ending in endings_of(path):
                claimed[ending] = None if ending in claimed else path
    return found


def artifacts(reading: Reading) -> Iterator[Fact]:
    """Yield a fact for each file."""
    touches: dict[str, list[_Touched]] = {}
    for action in reading.actions:
        for named in action.files:
            path = plain_path(named.path)
            if path != "." and path.isprintable() and path:
                touches.setdefault(path, []).append(_touched(action, named))
    owner = joined_paths(touches)
    merged: dict[str, list[_Touched]] = {}
    for path, found in touches.items():
        merged.setdefault(owner[path], []).extend(found)
    for path, found in merged.items():
        found.sort(key=lambda item: (item.named.index, item.named.start))
        yield _fact(reading, path, found)


def _touched(action: Action, named: Named) -> _Touched:
    state = action.outcome.state
    if action.purpose == "shell" and state == "failed":
        state = "unknown"  # one step of a command failed; the others may have had their effect
    made = named.how == "changed" and (action.purpose != "change" or action.tool in _MAKERS)
    return _Touched(named, named.how, state, made)


_MAKERS: Final = frozenset(
    "create write create_file write_file str_replace_editor fs_write".split()
)


def _fact(reading: Reading, path: str, found: list[_Touched]) -> Fact:
    effective = [item for item in found if item.state != "failed"] or found
    last = max(reversed(effective), key=lambda item: _WEIGHT[item.how])
    failed = last.state == "failed" and last.how in _EFFECTS
    hard = last.how in ("changed", "deleted") and last.state not in ("failed", "open")
    if last.how == "deleted" and found[0].made:
        hard = False
    if f"{path}/".startswith(_SCRATCH):
        hard = False
    named = last.named
    return fact_of(
        reading,
        "artifact",
        "failed" if failed else last.how,
        (named.index, named.start, named.end),
        key=f"artifact:{path}",
        value=path,
        hardness="hard" if hard else "soft",
        state=last.state if last.how in _EFFECTS else None,
        needs=_needs(path, gone=hard and last.how == "deleted"),
    )


def _needs(path: str, *, gone: bool) -> tuple[Need, ...]:
    named = Need("path", (path,), anywhere=not gone)
    return (named, Need("deleted", (path,))) if gone else (named,)
