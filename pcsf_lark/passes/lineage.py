"""META and CHAIN of a stitched capsule (§7.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.model import Chain, Meta
from pcsf_lark.spec import DEPTHS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule

__all__ = ["chain", "doubts", "meta"]


def meta(old: Capsule, new: Capsule) -> Meta:
    """The newer capsule's META, as deep as the deeper of the two."""
    depth = max(old.meta.depth, new.meta.depth, key=DEPTHS.index)
    return Meta(new.meta.topic, new.meta.domain, depth, new.meta.timestamp)


def chain(old: Capsule) -> Chain:
    """One hop more; the origin is the older capsule's, or the time it was written (D18)."""
    if old.chain is None:
        return Chain("1", old.meta.timestamp)
    return Chain(str(int(old.chain.hops) + 1), old.chain.origin)


def doubts(old: Capsule, new: Capsule) -> Iterator[str]:
    """What is odd about stitching these two, in this order (D18)."""
    before, after = old.meta.timestamp, new.meta.timestamp
    if after <= before:
        relation = "as old as" if after == before else "older than"
        yield f"the newer capsule ({after}) is {relation} the older one ({before})"
    if new.chain and not old.chain:
        yield (
            f"only the newer capsule has a CHAIN ({new.chain.hops} hops since {new.chain.origin}): "
            "it is not carried on, the chain begins with the older capsule"
        )
