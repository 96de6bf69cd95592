"""A chain of capsules folded into one, hop by hop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.passes.stitch import StitchResult, stitch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.model import Capsule
    from pcsf_lark.passes.log import Row

__all__ = ["folded"]


def folded(
    capsules: Sequence[Capsule], *, keep_skeleton: bool = False, stamp: bool = False
) -> Iterator[StitchResult]:
    """Each hop's successor, oldest first, with all rows and warnings so far.

    ``stamp`` is for the last one. Raises Unfittable at the hop that cannot be kept.
    """
    tree, *later = capsules
    rows: list[Row] = []
    warnings: list[str] = []
    for hop, newer in enumerate(later, start=1):
        last = hop == len(later)
        done = stitch(tree, newer, keep_skeleton=keep_skeleton, stamp=stamp and last)
        tree = done.capsule
        rows += done.log
        prefix = f"hop {hop}: " if len(later) > 1 else ""
        warnings += (prefix + warning for warning in done.warnings)
        yield StitchResult(tree, tuple(rows), tuple(warnings))
