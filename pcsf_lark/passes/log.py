"""The log of what an operation dropped: one row a line that is no longer there."""

from __future__ import annotations

from typing import TypedDict

__all__ = ["Row", "row"]


class Row(TypedDict):
    """What went, at which step, and the bytes that freed.

    ``step`` is the step of autotrim (§5; 0 is the INTEGRITY line), ``merge``
    (§7.1), ``cap`` (§7.2) or ``skeleton`` (an L1 entry that a stitch could not
    keep); ``layer`` is ``L1`` to ``L5``, or ``INTEGRITY``; ``freed`` counts the
    line with its LF.

    Attributes:
        entry: The line that went.
        reason: Why, in words.
    """

    step: int | str
    layer: str
    entry: str
    reason: str
    freed: int


def row(step: int | str, layer: str, line: str, reason: str) -> Row:
    """The row of a line that went."""
    return {"step": step, "layer": layer, "entry": line, "reason": reason, "freed": len(line) + 1}
