"""T2, T3 and restill: one summary for blocks that are shown and follow one another.

    promote(snapshot, ("b000001", "b000002"), topic=…, summary=…, origin="model")

2 to 16 T1 give a T2, as many T2 a T3, as many T3 a T3 again under the thresholds of the
settings. Laws: children are of version 3 and of this epoch, shown, of one tier, with
nothing between them; lineage is ids and digests, never text; planning switched off stops
this too, unless the user permits it.
"""

from collections.abc import Sequence

from kernel.projection.lifecycle.creating import judged
from kernel.projection.lifecycle.gating import behind
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.lifecycle.sealing import Permit, sealed, semantic, voice, writable
from kernel.projection.model import Origin, Transaction, block_ref
from kernel.projection.planning.catalog import match_blocks
from kernel.projection.planning.charges import charged
from kernel.projection.planning.economics import Proposal
from kernel.projection.planning.promotions import BlockSet
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.projector import BlockItem

__all__ = ["promote"]


def promote(
    snapshot: Snapshot,
    refs: Sequence[str],
    *,
    topic: str,
    summary: str,
    origin: Origin,
    permit: Permit | None = None,
) -> Transaction | Refusal:
    """Plan a block of a higher tier over blocks, in whatever order they are named."""
    stop = writable(snapshot) or semantic(snapshot, origin, permit)
    if stop is not None:
        return stop
    planning = snapshot.config.planning.enabled
    if not planning and origin != "user" and permit is None:
        return refuse("planning-disabled")
    if not summary.strip():
        return refuse("quality-summary-empty")
    found = match_blocks(
        snapshot.catalog,
        snapshot.catalog.catalog_id,
        refs,
        branch=snapshot.branch,
        state=snapshot.state,
        config=snapshot.config,
    )
    if isinstance(found, Refusal):
        return found
    tiers = snapshot.config.tiers
    if not tiers.enabled:
        return refuse("tiers-disabled")
    if found.restill and not tiers.restill.enabled:
        return refuse("restill-disabled")
    proposal = _proposal(snapshot, found, topic, summary, permit)
    made = judged(snapshot, proposal, found.source_ids, found.source_digest)
    return (
        made
        if isinstance(made, Refusal)
        else sealed(snapshot, voice(snapshot, origin, permit), made)
    )


def _proposal(
    snapshot: Snapshot, found: BlockSet, topic: str, summary: str, permit: Permit | None
) -> Proposal:
    """Return what is to be put for blocks as the view shows them now."""
    names = set(found.block_ids)
    view = snapshot.projection
    children = [
        (item, message)
        for item, message in zip(view.items, view.messages, strict=True)
        if isinstance(item, BlockItem) and item.name in names
    ]
    shown = [message for _, message in children]
    return Proposal(
        found.tier,
        "blocks",
        topic,
        summary,
        shown,
        refs=(block_ref(len(snapshot.state.blocks)), *found.refs),
        children=found.block_ids,
        count=len(found.source_ids),
        restill=found.restill,
        behind=behind(snapshot, children[-1][0].sources[-1].index),
        turns_since_create=found.turns,
        **charged(snapshot, permit, f"blocks {' '.join(found.refs)}:", shown),
    )
