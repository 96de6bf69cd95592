"""Graceful degradation (§5, D16): shed entries in a fixed order until a capsule fits.

The order is a table. L1, SEED and the L4 entries of the first two dimensions
stand in no row of it: they are never dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.errors import Unfittable
from pcsf_lark.passes.canonical import canonical
from pcsf_lark.passes.log import row
from pcsf_lark.passes.measure import bare_size, parts, stamp_size
from pcsf_lark.passes.stamp import is_due, matches
from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pcsf_lark.model import Capsule, Entry, LoopEntry, RelationEntry
    from pcsf_lark.passes.log import Row
    from pcsf_lark.spec import Layer

__all__ = ["ORDER", "FitResult", "fit", "shed"]


@frozen
class FitResult:
    """The capsule that fits, and what was dropped for it, in the order in which it went."""

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


_L2, _L3, _L4, _L5 = LAYERS[1:]
#: The six steps of §5: what goes, lowest value first; within a step later entries first.
_STEPS: tuple[tuple[int, Layer, Callable[..., Iterable[int]], str], ...] = (
    (1, _L5, _loops("LOW"), "LOW loops"),
    (2, _L4, _later_dimensions, "beyond the first two dimensions"),
    (3, _L3, _every, "internal state"),
    (4, _L5, _loops("MED"), "MED loops"),
    (5, _L2, _every, "negative knowledge"),
    (6, _L5, _loops("HIGH"), "HIGH loops"),
)
#: The same, for people.
ORDER = tuple(f"{layer.key} {what}" for _, layer, _, what in _STEPS)


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
    capsule: Capsule, *, budget: int, reserve: int = 0, stamp: bool = False
) -> tuple[Capsule, list[Row]]:
    """The capsule with entries dropped until its canonical text fits, and their rows.

    INTEGRITY counts where ``stamp`` asks for it; the capsule's own is ignored.
    """
    room = min(budget, LIMIT) - reserve
    size = bare_size(capsule)
    rows: list[Row] = []
    gone: dict[str, set[int]] = {}
    victims = _victims(capsule)
    while size + (stamp_size(size) if stamp else 0) > room:
        victim = next(victims, None)
        if victim is None:
            raise _unfittable(_without(capsule, gone), budget, reserve, stamp=stamp)
        step, layer, at, reason = victim
        gone.setdefault(layer.attribute, set()).add(at)
        entry = getattr(capsule, layer.attribute)[at]
        rows.append(row(step, layer.key, entry.line, reason))
        size -= rows[-1]["freed"]
    return _without(capsule, gone), rows


def _victims(capsule: Capsule) -> Iterator[tuple[int, Layer, int, str]]:
    """Step, layer, position and reason of all that may go, in the order in which it goes."""
    for step, layer, choose, what in _STEPS:
        entries = getattr(capsule, layer.attribute)
        for at in sorted(choose(entries), reverse=True):
            yield step, layer, at, what


def _without(capsule: Capsule, gone: dict[str, set[int]]) -> Capsule:
    if not gone:
        return capsule
    kept: dict[str, Any] = {
        name: tuple(e for at, e in enumerate(getattr(capsule, name)) if at not in places)
        for name, places in gone.items()
    }
    return evolve(capsule, **kept)


def _unfittable(capsule: Capsule, budget: int, reserve: int, *, stamp: bool) -> Unfittable:
    obstacles = parts(capsule)
    if stamp:
        obstacles["INTEGRITY"] = stamp_size(sum(obstacles.values()))
    obstacles["reserve"] = reserve
    obstacles = {name: size for name, size in obstacles.items() if size}
    return Unfittable(sum(obstacles.values()), min(budget, LIMIT), obstacles)
