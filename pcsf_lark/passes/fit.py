"""Graceful degradation (§5, D16): shed entries in a fixed order until a capsule fits.

The order is a table. L1, SEED and the L4 entries of the first two dimensions
stand in no row of it: they are never dropped.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from pcsf_lark.emit.lines import all_lines
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.errors import Unfittable
from pcsf_lark.passes.canonical import canonical
from pcsf_lark.passes.log import row
from pcsf_lark.passes.measure import lines_size, outer_parts, parts, stamp_size
from pcsf_lark.passes.stamp import is_due, matches
from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pcsf_lark.model import Capsule, Entry, LoopEntry, RelationEntry
    from pcsf_lark.passes.log import Row

__all__ = ["ORDER", "FitResult", "fit", "shed"]

#: An entry that may go: step, layer, place in it, and why.
_Victim = tuple[int | str, str, int, str]
_ATTRIBUTES = {layer.key: layer.attribute for layer in LAYERS}
_ENTRIES = {layer: attrgetter(name) for layer, name in _ATTRIBUTES.items()}


@frozen
class FitResult:
    """The capsule that fits, and what was dropped for it, in the order in which it went.

    Attributes:
        capsule: What fits.
        dropped: A row for each entry that went; empty where it fitted as it was.
    """

    capsule: Capsule
    dropped: tuple[Row, ...]

    @property
    def text(self) -> bytes:
        """The capsule's bytes: its own where nothing changed, else canonical ones."""
        return verbatim(self.capsule)


def _loops(priority: str) -> Callable[[tuple[LoopEntry, ...]], Iterable[int]]:
    def chosen(entries: tuple[LoopEntry, ...]) -> Iterable[int]:
        return (at for at, entry in enumerate(entries) if entry.priority == priority)

    return chosen


def _later_dimensions(entries: tuple[RelationEntry, ...]) -> Iterable[int]:
    """The entries whose dimension is none of the first two distinct ones."""
    kept = list(dict.fromkeys(entry.dimension for entry in entries))[:2]
    return (at for at, entry in enumerate(entries) if entry.dimension not in kept)


def _every(entries: tuple[Entry, ...]) -> Iterable[int]:
    return range(len(entries))


#: The six steps of §5: what goes, lowest value first; within a step later entries first.
_STEPS: tuple[tuple[int, str, Callable[..., Iterable[int]], str], ...] = (
    (1, "L5", _loops("LOW"), "LOW loops"),
    (2, "L4", _later_dimensions, "beyond the first two dimensions"),
    (3, "L3", _every, "internal state"),
    (4, "L5", _loops("MED"), "MED loops"),
    (5, "L2", _every, "negative knowledge"),
    (6, "L5", _loops("HIGH"), "HIGH loops"),
)
#: The same, for people.
ORDER = tuple(f"{layer} {what}" for _, layer, _, what in _STEPS)


def fit(
    capsule: Capsule, *, budget: int = LIMIT, reserve: int = 0, stamp: bool = False
) -> FitResult:
    """The capsule within ``budget`` - ``reserve`` bytes, and at most 1,200.

    One whose own bytes fit comes back as it is. Else its INTEGRITY goes, and
    then entries by the steps of §5; a stamp that does not match goes even
    where the bytes fit. With ``stamp`` the result carries INTEGRITY and fits
    with it. Raises ``Unfittable`` where all that may be dropped is not enough,
    and ValueError for a negative reserve.
    """
    if reserve < 0:
        raise ValueError(f"reserve is a number of bytes, not {reserve}")
    if is_due(capsule):
        capsule = canonical(capsule)
    own = verbatim(capsule)
    matching = capsule.integrity is None or matches(capsule, own)
    wanted = stamp and capsule.integrity is None
    if matching and not wanted and len(own) <= min(budget, LIMIT) - reserve:
        return FitResult(capsule, ())
    rows = []
    if capsule.integrity:
        reason = "a stamp is no state" if matching else "it does not match the text"
        rows.append(row(0, "INTEGRITY", capsule.integrity.line, reason))
    kept, dropped = shed(capsule, budget=budget, reserve=reserve, stamp=stamp)
    return FitResult(canonical(kept, stamp=stamp), (*rows, *dropped))


def shed(
    capsule: Capsule,
    *,
    budget: int,
    reserve: int = 0,
    stamp: bool = False,
    skeleton: bool = False,
) -> tuple[Capsule, list[Row]]:
    """The capsule with entries dropped until its canonical text fits, and their rows.

    INTEGRITY counts where ``stamp`` asks for it; the capsule's own is ignored.
    With ``skeleton``, where the six steps are not enough, the oldest L1 entries
    go first, as few as will do, and the steps then have their bytes to spare.
    """
    room = min(budget, LIMIT) - reserve
    lines = all_lines(capsule)

    def fits(size: int) -> bool:
        return size + (stamp_size(size) if stamp else 0) <= room

    def freed(victim: _Victim) -> int:
        return len(lines[victim[1]][victim[2]]) + 1

    size = sum(outer_parts(capsule).values()) + sum([lines_size(x) for x in lines.values()])
    if fits(size):
        return capsule, []
    victims = list(_victims(capsule))
    least = size - sum(map(freed, victims))
    gone: list[_Victim] = []
    for victim in _oldest(capsule) if skeleton else ():
        if fits(least):
            break
        gone.append(victim)
        least -= freed(victim)
    if not fits(least):
        raise _unfittable(_without(capsule, gone + victims), budget, reserve, stamp=stamp)
    size -= sum(map(freed, gone))
    for victim in victims:
        if fits(size):
            break
        gone.append(victim)
        size -= freed(victim)
    rows = [row(step, layer, lines[layer][at], what) for step, layer, at, what in gone]
    return _without(capsule, gone), rows


def _oldest(capsule: Capsule) -> Iterator[_Victim]:
    """The L1 entries, in the order in which a stitch gives them up (D17)."""
    for at in range(len(capsule.skeleton)):
        yield "skeleton", "L1", at, "the oldest, where nothing else is left to drop"


def _victims(capsule: Capsule) -> Iterator[_Victim]:
    """All that may go, in the order in which it goes."""
    for step, layer, choose, what in _STEPS:
        entries = _ENTRIES[layer](capsule)
        for at in sorted(choose(entries), reverse=True):
            yield step, layer, at, what


def _without(capsule: Capsule, gone: Iterable[_Victim]) -> Capsule:
    places: dict[str, set[int]] = {}
    for _, layer, at, _ in gone:
        places.setdefault(layer, set()).add(at)
    kept: dict[str, Any] = {
        _ATTRIBUTES[layer]: tuple(
            [entry for at, entry in enumerate(_ENTRIES[layer](capsule)) if at not in dropped]
        )
        for layer, dropped in places.items()
    }
    return evolve(capsule, **kept)


def _unfittable(capsule: Capsule, budget: int, reserve: int, *, stamp: bool) -> Unfittable:
    obstacles = parts(capsule)
    if stamp:
        obstacles["INTEGRITY"] = stamp_size(sum(obstacles.values()))
    if reserve:
        obstacles["reserve"] = reserve
    return Unfittable(sum(obstacles.values()), min(budget, LIMIT), obstacles)
