"""The lines of an export within caps and budget: what goes, in which order, and why.

First what is over a layer's cap, then the steps of §5 (`fit`), then what was
projected into L1: facts, reasons shortened, decisions. Constraints, the SEED and
L1 entries that came from a capsule never go for want of bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from pcsf_lark.errors import Unfittable
from pcsf_lark.model import SkeletonEntry
from pcsf_lark.passes.cso_lines import Dropped, Line
from pcsf_lark.passes.cso_text import cut
from pcsf_lark.spec import LAYERS, PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["BudgetError", "capped", "fitted"]

Lines = dict[str, list[Line]]
#: The least that is left of a reason that is shortened.
_LEAST = 24


class BudgetError(Unfittable):
    """What must not be dropped does not fit; `needed` less `budget` is the overrun.

    Attributes:
        obstacles: What had to stay, to the bytes it takes.
    """

    def __str__(self) -> str:
        """The overrun first."""
        return f"over by {self.needed - self.budget:,}: {super().__str__()}"


def capped(lines: Lines, log: list[Dropped]) -> Lines:
    """The lines with no layer over its cap (12, 8, 6, 5, 8); raises BudgetError."""
    kept: Lines = {}
    for layer in LAYERS:
        rows = lines[layer.key]
        over = len(rows) - layer.cap
        if over > 0:
            gone = [at for at in _over_cap(layer.key, rows) if not rows[at].fixed][:over]
            if len(gone) < over:
                left = len(rows) - len(gone)
                raise BudgetError(left, layer.cap, {f"{layer.key} entries that must stay": left})
            reason = f"over the cap of {layer.cap} entries"
            log += [_dropped(rows[at], reason) for at in gone]
            away = frozenset(gone)
            rows = [row for at, row in enumerate(rows) if at not in away]
        kept[layer.key] = rows
    return kept


def _over_cap(layer: str, rows: Sequence[Line]) -> Iterable[int]:
    """The places of a layer, what is worth least first."""
    last = range(len(rows) - 1, -1, -1)
    if layer == "L5":
        return sorted(last, key=lambda at: -PRIORITIES.index(rows[at].entry.values[2]))
    if layer != "L1":
        return last
    # Facts of ours, then our decisions, later first; then the oldest of the capsule's own.
    projected = [at for at in last if not rows[at].authored]
    projected.sort(key=lambda at: rows[at].kind != "DISCOVERY")
    return (*projected, *(at for at, row in enumerate(rows) if row.authored))


def _all(_: Sequence[Line]) -> Callable[[Line], bool]:
    return lambda _: True


def _urgent(priority: str) -> Callable[[Sequence[Line]], Callable[[Line], bool]]:
    return lambda _: lambda row: row.entry.values[2] == priority


def _later(rows: Sequence[Line]) -> Callable[[Line], bool]:
    """Beyond the first two distinct dimensions."""
    first = list(dict.fromkeys(row.kind for row in rows))[:2]
    return lambda row: row.kind not in first


def _ours(*kinds: str) -> Callable[[Sequence[Line]], Callable[[Line], bool]]:
    return lambda _: lambda row: not row.authored and row.kind in kinds


_FACTS = ("L1", _ours("DISCOVERY"), "projected facts")
_SHORTEN = ("L1", _ours("CHOICE", "PIVOT"), "")
_STEPS = (
    ("L5", _urgent("LOW"), "LOW loops"),
    ("L4", _later, "beyond the first two dimensions"),
    ("L3", _all, "internal state"),
    ("L5", _urgent("MED"), "MED loops"),
    ("L2", _all, "negative knowledge"),
    ("L5", _urgent("HIGH"), "HIGH loops"),
    _FACTS,
    _SHORTEN,
    ("L1", _ours("CHOICE", "PIVOT"), "projected decisions"),
)
#: With ``prefer="facts"`` the facts go right after the loops of middling urgency.
_FACTS_EARLIER = (*_STEPS[:4], _FACTS, *_STEPS[4:6], *_STEPS[7:])


def fitted(
    lines: Lines,
    size: Callable[[Lines], int],
    budget: int,
    log: list[Dropped],
    *,
    facts_earlier: bool = False,
) -> tuple[Lines, tuple[str, ...]]:
    """The lines that fit, and the ids whose reason was shortened; log in order.

    What fits comes back as it is. `size` measures the text of lines.
    """
    lines = {layer: list(rows) for layer, rows in lines.items()}
    shortened: list[str] = []
    for step in _FACTS_EARLIER if facts_earlier else _STEPS:
        layer, choose, reason = step
        chosen = choose(lines[layer])
        for row in reversed(lines[layer][:]):
            over = size(lines) - budget
            if over <= 0:
                return lines, tuple(shortened)
            if row.fixed or not chosen(row):
                continue
            at = next(at for at, other in enumerate(lines[layer]) if other is row)
            if step is not _SHORTEN:
                del lines[layer][at]
                log.append(_dropped(row, reason))
            elif (shorter := _shorter(row, over)) is not None:
                lines[layer][at] = shorter
                shortened.append(row.id)
    return lines, tuple(shortened)


def _shorter(row: Line, over: int) -> Line | None:
    """The line with as little as needed taken off its reason; None if too little is left."""
    entry = row.entry
    if not isinstance(entry, SkeletonEntry):
        return None
    reason = cut(entry.reason, max(len(entry.reason) - over, _LEAST + 3))
    if len(reason) >= len(entry.reason):
        return None
    texts = tuple(text for text in row.texts if text != entry.reason)
    return evolve(row, entry=evolve(entry, reason=reason), texts=texts)


def _dropped(row: Line, reason: str) -> Dropped:
    return Dropped(row.id, row.layer, row.entry.line, reason)
