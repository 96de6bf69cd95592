"""Taking the last fold back.

Law: the view is again what it was before the last call that folded: its blocks are gone
and the blocks they had taken in show again. Numbers are never given out twice.
"""

from attrs import evolve, frozen

from kernel.state import CompressionState, block_number

__all__ = ["Undone", "undo"]


@frozen
class Undone:
    """The state without the last fold, and the blocks it lost; none where none was left.

    Attributes:
        state: The state to keep.
        block_ids: The blocks that are gone.
    """

    state: CompressionState
    block_ids: tuple[str, ...] = ()


def undo(state: CompressionState) -> Undone:
    """Remove the blocks of the last run, that of the highest block still there."""
    if not state.blocks:
        return Undone(state)
    last = max(state.blocks, key=lambda block: block_number(block.block_id))
    gone = [block for block in state.blocks if block.run_id == last.run_id]
    names = {block.block_id for block in gone}
    freed = {child for block in gone for child in block.direct_block_ids}
    kept = [block for block in state.blocks if block.block_id not in names]
    held = {child for block in kept if not block.released for child in block.direct_block_ids}
    stats = evolve(
        state.stats,
        tokens_compressed=max(
            0, state.stats.tokens_compressed - sum(block.compressed_tokens or 0 for block in gone)
        ),
        compression_count=max(0, state.stats.compression_count - len(gone)),
    )
    blocks = [
        evolve(block, active=True)
        if block.block_id in freed - held and not block.released
        else block
        for block in kept
    ]
    return Undone(evolve(state, blocks=blocks, stats=stats), tuple(b.block_id for b in gone))
