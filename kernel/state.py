"""The state a host keeps between turns: blocks, refs, nudge stamps, statistics.

Laws: state goes in and comes out, nobody changes it in place; dictionaries inside are
shared between states and copied only when something is added.
"""

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from kernel.model import BLOCKED, NOTHING, CompressionBlock, as_tuple

__all__ = [
    "CompressionState",
    "MessageContentStore",
    "MessageRefs",
    "NudgeState",
    "Stats",
    "block_number",
    "covered_ids",
    "find_block",
    "highest_ref",
    "ref_name",
    "ref_number",
]

_DIGITS = 5


@frozen
class MessageRefs:
    """Raw message id ↔ short ref; a protected message maps to BLOCKED and has no way back."""

    by_raw: Mapping[str, str] = field(factory=dict)
    by_ref: Mapping[str, str] = field(factory=dict)
    extra: Mapping[str, Any] = NOTHING


@frozen
class NudgeState:
    """Token counts at the moments that matter for the next reminder."""

    last_per_message_nudge_tokens: float = 0
    last_nudge_shown_tokens: float = 0
    baseline_tokens: float = 0
    anchors: Mapping[str, Any] = field(factory=dict)
    last_shown_by_tier: Mapping[str, float] = field(factory=dict)
    extra: Mapping[str, Any] = NOTHING


@frozen
class Stats:
    """Totals over the session."""

    tokens_compressed: float = 0
    compression_count: int = 0
    extra: Mapping[str, Any] = NOTHING


@frozen
class CompressionState:
    """All that survives a turn; plain data, `kernel.codec` spells it as JSON.

    Attributes:
        blocks: Every fold, in order of creation.
        message_refs: The short names of messages.
        nudge: When was reminded last.
        stats: Totals over the session.
        next_block_id: The number of the next block.
        next_run_id: The number of the next call.
        token_snapshot: The tokens that a message's tag names, by ref.
        extra: Members of other writers, kept as they are.
    """

    blocks: tuple[CompressionBlock, ...] = field(default=(), converter=as_tuple)
    message_refs: MessageRefs = field(factory=MessageRefs)
    nudge: NudgeState = field(factory=NudgeState)
    stats: Stats = field(factory=Stats)
    next_block_id: int = 1
    next_run_id: int = 1
    token_snapshot: Mapping[str, int] = field(factory=dict)
    extra: Mapping[str, Any] = NOTHING


@frozen
class MessageContentStore:
    """What folds took out of view, by ref: the first text stored under a ref stays.

    Attributes:
        entries: What is kept, by ref.
    """

    entries: Mapping[str, Any] = field(factory=dict)


def ref_name(number: int) -> str:
    """Spell a message ref: five digits, more only from 100,000 on."""
    return f"m{number:0{_DIGITS}d}"


def ref_number(ref: str) -> int:
    """Return the number of a well-formed message ref, 0 for anything else."""
    digits = ref[1:]
    return int(digits) if ref[:1] == "m" and digits.isascii() and digits.isdigit() else 0


def block_number(block_id: str) -> int:
    """Return the number of a block id, 0 for anything else."""
    digits = block_id[1:]
    return int(digits) if block_id[:1] == "b" and digits.isascii() and digits.isdigit() else 0


def highest_ref(refs: MessageRefs) -> int:
    """Return the highest message number in use, 0 where there is none."""
    by_raw = refs.by_raw
    # Refs are handed out in growing order, so the last one is nearly always the highest;
    # a foreign state may be sorted otherwise, hence the full scan where they disagree.
    if len(refs.by_ref) == len(by_raw) and by_raw:
        last = ref_number(next(reversed(by_raw.values())))  # type: ignore[call-overload]
        if last == len(by_raw):
            return last
    return max((ref_number(ref) for ref in by_raw.values() if ref != BLOCKED), default=0)


def covered_ids(blocks: tuple[CompressionBlock, ...]) -> set[str]:
    """Return every raw id an active block hides."""
    covered: set[str] = set()
    for block in blocks:
        if block.active:
            covered.update(block.effective_message_ids)
    return covered


def find_block(state: CompressionState, block_id: str) -> CompressionBlock | None:
    """Look a block up by its exact id."""
    return next((block for block in state.blocks if block.block_id == block_id), None)
