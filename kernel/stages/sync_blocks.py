"""sync-blocks: which blocks hold in this turn, and how long they have held.

Laws: a block holds while a message it hides, or its own summary, is in the input; a
block taken in by another never does; a block its user released stays off. Age promotes
a block, it never drops one. Loading a turn, each raw id stays with the first active
block that claims it.
"""

from collections.abc import Collection, Sequence

from attrs import evolve

from kernel.model import CompressionBlock, CoreMessage, summary_id
from kernel.stages.base import Context, Stage, Turn
from kernel.state import CompressionState

__all__ = ["STAGE", "aged", "disjoint", "sync_blocks"]


def sync_blocks(
    state: CompressionState, messages: Sequence[CoreMessage]
) -> tuple[CompressionState, tuple[str, ...]]:
    """Switch blocks on and off by what is present; name those that lost all presence."""
    if not state.blocks:
        return state, ()
    present = {message.id for message in messages}
    return _synced(state, present)


def _synced(
    state: CompressionState, present: Collection[str]
) -> tuple[CompressionState, tuple[str, ...]]:
    consumed = {
        child for block in state.blocks if not block.released for child in block.direct_block_ids
    }
    blocks: list[CompressionBlock] = []
    lost: list[str] = []
    for block in state.blocks:
        if block.block_id in consumed or block.released:
            holds = False
        else:
            holds = summary_id(block.block_id) in present or any(
                raw in present for raw in block.effective_message_ids
            )
            if block.active and not holds:
                lost.append(block.block_id)
        blocks.append(block if block.active is holds else evolve(block, active=holds))
    return evolve(state, blocks=blocks), tuple(lost)


def disjoint(state: CompressionState) -> tuple[CompressionState, tuple[str, ...]]:
    """Leave each raw id with the first active block that claims it, and say so."""
    claimed: set[str] = set()
    blocks: list[CompressionBlock] = []
    notes: list[str] = []
    for block in state.blocks:
        ids = block.effective_message_ids
        if not block.active or claimed.isdisjoint(ids):
            if block.active:
                claimed.update(ids)
            blocks.append(block)
            continue
        free = tuple(raw for raw in ids if raw not in claimed)
        direct = tuple(raw for raw in block.direct_message_ids if raw not in claimed)
        blocks.append(
            evolve(
                block,
                effective_message_ids=free,
                direct_message_ids=direct,
                active=bool(free),
            )
        )
        claimed.update(free)
        notes.append(
            f"block {block.block_id} claimed {len(ids) - len(free)} messages of an earlier "
            "active block; they stay with the earlier one"
        )
    return (evolve(state, blocks=blocks), tuple(notes)) if notes else (state, ())


def aged(block: CompressionBlock, threshold: float) -> CompressionBlock:
    """Return an active block one turn older, promoted at the threshold."""
    if not block.active:
        return block
    survived = block.survived_count + 1
    generation = "old" if survived >= threshold else block.generation
    return evolve(block, survived_count=survived, generation=generation)


def _run(turn: Turn, context: Context) -> Turn:
    present = {message.id for message in turn.messages}
    state, _ = _synced(turn.state, present)
    state, notes = disjoint(state)
    threshold = context.config.promotion_threshold
    by_ref = state.message_refs.by_ref
    snapshot = state.token_snapshot
    gone = [ref for ref in snapshot if by_ref.get(ref) not in present]
    if gone:
        kept = set(gone)
        snapshot = {ref: count for ref, count in snapshot.items() if ref not in kept}
    state = evolve(
        state,
        blocks=[aged(block, threshold) for block in state.blocks],
        token_snapshot=snapshot,
    )
    return evolve(turn, state=state, diagnostics=turn.diagnostics + notes)


STAGE = Stage("sync-blocks", _run, sound=True)
