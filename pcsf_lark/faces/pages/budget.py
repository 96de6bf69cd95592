"""Where a capsule's bytes went: the limit, and a share for each layer and for the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.outline import Kind
from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.model import Capsule
    from pcsf_lark.outline import Outline

__all__ = ["FRAME", "TITLES", "Budget", "Share", "of_capsule", "of_outline"]

#: What holds the layers: opening, header lines, blank lines, SEED, closing.
FRAME = "frame"
#: What each layer is, for people.
TITLES = {
    "L1": "decided and found",
    "L2": "ruled out",
    "L3": "held but unsaid",
    "L4": "working relationship",
    "L5": "open loops",
}


@frozen
class Share:
    """The bytes of a layer's entries with their line ends, or of the frame."""

    key: str
    size: int


@frozen
class Budget:
    """The bytes used, None where there are more than were counted, and the shares in order.

    The shares add up to ``used``.
    """

    used: int | None
    shares: tuple[Share, ...]
    limit: int = LIMIT

    @property
    def left(self) -> int | None:
        """The bytes left, negative where there are too many."""
        return None if self.used is None else self.limit - self.used

    @property
    def told(self) -> str:
        """The budget in words: ``810 of 1,200 bytes, 390 left``."""
        if self.used is None or self.left is None:
            return f"far more than {self.limit:,} bytes"
        rest = f"{self.left:,} left" if self.left >= 0 else f"{-self.left:,} too many"
        return f"{self.used:,} of {self.limit:,} bytes, {rest}"


def of_capsule(capsule: Capsule) -> Budget:
    """The budget of a capsule that was read."""
    sizes = {key: sum(len(entry.line) + 1 for entry in rows) for key, rows in capsule.layers}
    return _budget(capsule.size or 0, sizes)


def of_outline(outline: Outline) -> Budget:
    """The budget of any text, as far as its lines were taken for entries."""
    source = outline.source
    sizes = dict.fromkeys((layer.key for layer in LAYERS), 0)
    for index, kind in enumerate(outline.kinds):
        if kind == Kind.ENTRY:
            start, end = source.bounds(index)
            size = min(end + 1, len(source.data)) - start
            sizes[LAYERS[outline.layers[index] - 1].key] += size
    return _budget(None if source.oversize and source.size is None else source.size, sizes)


def _budget(used: int | None, sizes: Mapping[str, int]) -> Budget:
    frame = max((used or 0) - sum(sizes.values()), 0)
    return Budget(used, (Share(FRAME, frame), *(Share(*row) for row in sizes.items())))
