"""T1: a summary for one exact safe range of messages.

    create(snapshot, "range", ("m000001", "m000009"), topic=…, summary=…, origin="model")
    create(snapshot, "message", every_ref, …, permit=permit)

Laws: the range is one recommendation of the snapshot's catalog, exactly, or nothing is
made; catalog, economics and gate are asked in this order and the first to refuse answers;
no source is left out after the summary is written.
"""

from collections.abc import Sequence
from typing import Final, Literal

from kernel.projection.journal.codec import block_id
from kernel.projection.lifecycle.gating import behind, gate, weigh
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.lifecycle.sealing import Permit, sealed, semantic, voice, writable
from kernel.projection.model import (
    Mode,
    Origin,
    SemanticCreate,
    Transaction,
    block_ref,
)
from kernel.projection.planning.catalog import match, match_span
from kernel.projection.planning.charges import charged
from kernel.projection.planning.economics import Proposal
from kernel.projection.planning.ranges import SafeRange
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.projector import BlockItem

__all__ = ["LONGEST_SUMMARY", "LONGEST_TOPIC", "create", "judged"]

#: Code points of a topic and of a summary, at most.
LONGEST_TOPIC: Final = 200
LONGEST_SUMMARY: Final = 65536


def create(
    snapshot: Snapshot,
    mode: Literal["range", "message"],
    refs: Sequence[str],
    *,
    topic: str,
    summary: str,
    origin: Origin,
    permit: Permit | None = None,
) -> Transaction | Refusal:
    """Plan a T1 block for the messages that refs name: both ends, or every one.

    With planning off nothing begins this of itself; a model that asks for it still may.
    """
    stop = writable(snapshot) or semantic(snapshot, origin, permit)
    if stop is not None:
        return stop
    if origin == "automatic" and permit is None and not snapshot.config.planning.enabled:
        return refuse("planning-disabled")
    if not summary.strip():
        return refuse("quality-summary-empty")
    catalog = snapshot.catalog
    if mode == "message":
        found = match(catalog, catalog.catalog_id, refs)
    elif len(refs) == 2:
        found = match_span(catalog, catalog.catalog_id, refs[0], refs[1])
    else:
        return refuse("source-summary-scope-mismatch")
    if isinstance(found, Refusal):
        return found
    proposal = _proposal(snapshot, found, mode, topic, summary, permit=permit)
    made = judged(snapshot, proposal, found.source_ids, found.source_digest)
    return (
        made
        if isinstance(made, Refusal)
        else sealed(snapshot, voice(snapshot, origin, permit), made)
    )


def _proposal(
    snapshot: Snapshot,
    found: SafeRange,
    mode: Mode,
    topic: str,
    summary: str,
    *,
    permit: Permit | None,
) -> Proposal:
    """Return what is to be put for a range as the view shows it now."""
    shown = [
        message
        for item, message in zip(
            snapshot.projection.items, snapshot.projection.messages, strict=True
        )
        if not isinstance(item, BlockItem) and found.first <= item.source.index <= found.last
    ]
    return Proposal(
        1,
        mode,
        topic,
        summary,
        shown,
        refs=(block_ref(len(snapshot.state.blocks)),),
        count=len(found.source_ids),
        behind=behind(snapshot, found.last),
        **charged(snapshot, permit, f"range {found.start_ref}..{found.end_ref}:", shown),
    )


def judged(
    snapshot: Snapshot, proposal: Proposal, source_ids: Sequence[str], leaves: str
) -> SemanticCreate | Refusal:
    """Return the payload of a new block once economics and gate allow it.

    `source_ids` are its recursive leaves and `leaves` their digest.
    """
    cost = weigh(snapshot, proposal)
    if isinstance(cost, Refusal):
        return cost
    quality = gate(snapshot, source_ids, proposal.summary)
    if isinstance(quality, Refusal):
        return quality
    branch, tier, children = snapshot.branch, proposal.tier, proposal.children
    return SemanticCreate(
        block_id(
            branch.epoch,
            branch.leaf or "",
            tier=tier,
            leaf_digest=leaves,
            children=children,
            summary=proposal.summary,
        ),
        tier,
        proposal.mode,
        proposal.restill,
        proposal.topic,
        proposal.summary,
        source_ids,
        children,
        leaves,
        len(source_ids),
        snapshot.catalog.catalog_id,
        quality,
        cost,
    )
