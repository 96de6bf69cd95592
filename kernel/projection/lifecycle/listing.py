"""The rows of a status answer: ranges, sets of blocks, and blocks, as the model reads them.

Laws: a row holds refs, digests, counts and bounds, and of a block its topic; never a
word of a source. What a status answer costs is told from the same rows.
"""

from typing import Any

from kernel.projection.lifecycle.sealing import fault_of
from kernel.projection.model import Block
from kernel.projection.planning.promotions import BlockSet
from kernel.projection.planning.ranges import SafeRange
from kernel.projection.snapshot import Snapshot

__all__ = ["block_row", "range_row", "set_row", "shown_blocks"]


def range_row(one: SafeRange) -> dict[str, Any]:
    """Return the row of a safe range."""
    return {
        "startRef": one.start_ref,
        "endRef": one.end_ref,
        "messages": len(one.source_ids),
        "atoms": one.atoms,
        "sourceDigest": one.source_digest,
        "scopeDigest": one.scope_digest,
        "tokens": {"lower": one.tokens.lower, "upper": one.tokens.upper},
        "estimated": one.estimated,
    }


def set_row(one: BlockSet) -> dict[str, Any]:
    """Return the row of blocks that may become one."""
    return {
        "tier": one.tier,
        "restill": one.restill,
        "refs": list(one.refs),
        "sourceDigest": one.source_digest,
        "tokens": {"lower": one.tokens.lower, "upper": one.tokens.upper},
    }


def block_row(snapshot: Snapshot, block: Block) -> dict[str, Any]:
    """Return the row of a block."""
    quality = block.quality
    return {
        "ref": block.ref,
        "status": snapshot.state.status[block.block_id],
        "tier": block.tier,
        "version": block.version,
        "topic": block.topic,
        "messages": len(block.source_ids),
        "quality": None
        if quality is None
        else {
            "enabled": quality.enabled,
            "accepted": quality.accepted,
            "warnings": list(quality.warnings),
        },
    }


def shown_blocks(snapshot: Snapshot) -> tuple[Block, ...]:
    """Return the blocks a view shows, in the order of their first sources."""
    if fault_of(snapshot) is not None or not snapshot.enabled:
        return ()
    place = snapshot.branch.index
    last = len(place)

    def first(block: Block) -> tuple[int, int]:
        return min((place.get(name, last) for name in block.source_ids), default=last), block.number

    return tuple(sorted(snapshot.state.active(), key=first))
