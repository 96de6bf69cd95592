"""merge-blocks: join old summaries without losing a word of them.

Laws: only blocks of the old generation are joined, oldest first, in groups of at least
`merge.minOldGenBlocks` whose joined text fits `merge.maxSummaryLength`; whatever does
not fit is left alone. Nothing is shortened.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.config import MergeConfig
from kernel.model import CompressionBlock, summary_id
from kernel.stages.base import Context, Effect, Stage, Turn
from kernel.state import CompressionState, block_number
from kernel.text import trim, units

__all__ = ["STAGE", "merge_blocks"]

_RULE = "\n\n---\n\n"


def merge_blocks(
    state: CompressionState, config: MergeConfig
) -> tuple[CompressionState, tuple[str, ...]]:
    """Join what may be joined; return the state and the ids of the blocks taken in."""
    old = [block for block in state.blocks if block.active and block.generation == "old"]
    if len(old) < config.min_old_gen_blocks:
        return state, ()
    old.sort(key=lambda block: block_number(block.block_id))
    groups = [group for group in _groups(old, config) if len(group) >= config.min_old_gen_blocks]
    taken = tuple(block.block_id for group in groups for block in group)
    for group in groups:
        state = _joined(state, group)
    return state, taken


def _groups(
    blocks: Sequence[CompressionBlock], config: MergeConfig
) -> list[list[CompressionBlock]]:
    groups: list[list[CompressionBlock]] = []
    length = 0.0
    for block in blocks:
        size = units(trim(block.summary))
        if size > config.max_summary_length:
            continue
        if groups and length + len(_RULE) + size <= config.max_summary_length:
            groups[-1].append(block)
            length += len(_RULE) + size
        else:
            groups.append([block])
            length = size
    return groups


def _union(parts: Sequence[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))


def _joined(state: CompressionState, group: Sequence[CompressionBlock]) -> CompressionState:
    topics = dict.fromkeys(block.topic for block in group if block.topic)
    merged = CompressionBlock(
        block_id=f"b{state.next_block_id}",
        run_id=f"r{state.next_run_id}",
        tier=min(block.tier for block in group),
        summary=_RULE.join(trim(block.summary) for block in group),
        direct_message_ids=_union([block.direct_message_ids for block in group]),
        effective_message_ids=_union([block.effective_message_ids for block in group]),
        direct_block_ids=tuple(block.block_id for block in group),
        created_at=max(block.created_at for block in group),
        survived_count=min(block.survived_count for block in group),
        generation="old",
        topic="; ".join(topics) or None,
        compressed_tokens=sum(block.compressed_tokens or 0 for block in group),
    )
    taken = {block.block_id for block in group}
    blocks = [
        evolve(block, active=False) if block.block_id in taken else block for block in state.blocks
    ]
    return evolve(
        state,
        blocks=[*blocks, merged],
        next_block_id=state.next_block_id + 1,
        next_run_id=state.next_run_id + 1,
    )


def _run(turn: Turn, context: Context) -> Turn:
    state, taken = merge_blocks(turn.state, context.config.merge)
    if not taken:
        return turn
    moved = {
        raw
        for block in turn.state.blocks
        if block.block_id in taken
        for raw in block.effective_message_ids
    }
    moved.update(summary_id(block_id) for block_id in taken)
    after = ""
    for message in turn.messages:
        if message.id in moved:
            break
        after = message.id
    effect = Effect("merge-blocks", "merged", len(taken), after)
    return evolve(turn, state=state, effects=(*turn.effects, effect))


STAGE = Stage("merge-blocks", _run, sound=True)
