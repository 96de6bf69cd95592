"""Folding one range: which messages, of which tier, and whether its summary will do."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from kernel.boundaries import Resolution
from kernel.config import Config
from kernel.model import (
    NOTHING,
    CompressionBlock,
    CompressRange,
    CoreMessage,
    as_tuple,
    is_synthetic,
)
from kernel.places import Places, nested_blocks
from kernel.ports import Ports, message_tokens
from kernel.stages.prune import first_user
from kernel.state import CompressionState
from kernel.text import trim, units

__all__ = ["Ground", "Landed", "Problem", "fold"]

_TOP_TIER = 3
# What a failed summariser leaves where the summary should be.
_FAILURE = re.compile(
    r"(error generating summary|traceback \(most recent call last\)|"
    r"([a-z_]+\.)*[a-z]*(error|exception): )",
    re.IGNORECASE,
)


@frozen
class Problem:
    """A code with parameters, and the refs of the range it belongs to.

    Attributes:
        code: A stable word for a program.
        params: What belongs to it.
        range: The refs as they were given.
    """

    code: str
    params: Mapping[str, Any] = NOTHING
    range: tuple[str, str] | None = None


@frozen
class Ground:
    """What all ranges of one call share."""

    messages: Sequence[CoreMessage]
    places: Places
    config: Config
    ports: Ports
    now: float
    run_id: str
    recent: set[str]
    covered_before: set[str]
    protected: set[int]
    flying: set[int]
    partner: dict[int, int]
    by_id: Mapping[str, CoreMessage]


@frozen
class Landed:
    """The outcome of one range: a new state, or an error and the state as it was."""

    state: CompressionState
    tokens: float = 0
    error: Problem | None = None
    warnings: tuple[Problem, ...] = field(default=(), converter=as_tuple)
    notes: tuple[Problem, ...] = field(default=(), converter=as_tuple)


@frozen
class _Choice:
    """The ids a fold would hide and the blocks it would take in."""

    effective: list[str]
    direct: list[str]
    consumed: list[CompressionBlock]
    tier: int
    spared: list[str]
    flying: list[str]


def fold(
    item: CompressRange,
    resolution: Resolution,
    span: tuple[int, int],
    ground: Ground,
    state: CompressionState,
) -> Landed:
    """Fold one resolved and widened range into a new block."""
    by_block = resolution.boundary_kind == "block"
    choice = _choose(span, ground, state, by_block=by_block)
    refs = (item.start_ref, item.end_ref)
    warnings = _warnings(choice)
    error = _objection(item, choice, ground, by_block=by_block)
    if error is not None:
        kept = [] if error.code == "ALL_PROTECTED" else warnings
        return Landed(state, error=evolve(error, range=refs), warnings=kept)
    tokens = _tokens(choice, ground)
    block = CompressionBlock(
        block_id=f"b{state.next_block_id}",
        run_id=ground.run_id,
        tier=choice.tier,
        summary=item.summary,
        direct_message_ids=choice.direct,
        effective_message_ids=choice.effective,
        direct_block_ids=[child.block_id for child in choice.consumed],
        created_at=ground.now,
        topic=item.topic,
        compressed_tokens=tokens,
        compress_call_id=item.compress_call_id,
        start_ref=item.start_ref,
        end_ref=item.end_ref,
        extra=item.extra,
    )
    taken = {child.block_id for child in choice.consumed}
    blocks = [
        evolve(child, active=False) if child.block_id in taken else child for child in state.blocks
    ]
    state = evolve(state, blocks=[*blocks, block], next_block_id=state.next_block_id + 1)
    return Landed(state, tokens, None, warnings, _notes(item, choice, ground))


def _choose(
    span: tuple[int, int], ground: Ground, state: CompressionState, *, by_block: bool
) -> _Choice:
    start, end = span
    nested = nested_blocks(state, ground.places, start, end)
    target = min((block.tier for block in nested), default=1) if by_block else 1
    consumed = [block for block in nested if block.tier == target]
    taken = {block.block_id for block in consumed}
    foreign = {
        raw
        for block in state.blocks
        if block.active and block.block_id not in taken
        for raw in block.effective_message_ids
    }
    spared, flying, kept_out = _excluded(start, end, ground)
    candidates = dict.fromkeys(
        message.id
        for message in ground.messages[start : end + 1]
        if message.id and not is_synthetic(message)
    )
    for block in consumed:
        candidates.update(dict.fromkeys(block.effective_message_ids))
    effective = [raw for raw in candidates if raw not in foreign and raw not in kept_out]
    direct = [raw for raw in effective if raw not in ground.covered_before]
    tier = min(_TOP_TIER, target + 1) if by_block else 1
    return _Choice(effective, direct, consumed, tier, spared, flying)


def _excluded(start: int, end: int, ground: Ground) -> tuple[list[str], list[str], set[str]]:
    """Return the recent refs spared, the ids in flight spared, and all ids kept out."""
    messages, partner = ground.messages, ground.partner
    by_raw = ground.places.refs
    out: set[str] = set()
    recent: dict[int, str] = {}
    flying: list[str] = []
    for index in range(start, end + 1):
        message = messages[index]
        if index in ground.protected:
            out.add(message.id)
        elif index in ground.flying:
            flying.append(message.id)
            out.add(message.id)
        elif by_raw.get(message.id) in ground.recent:
            recent[index] = by_raw[message.id]
    # A spared result keeps its call, and the other way round.
    for index in list(recent):
        other = partner.get(index)
        if other is not None and other not in recent:
            ref = by_raw.get(messages[other].id)
            raw = messages[other].id
            if (
                start <= other <= end
                and ref
                and raw not in out
                and raw not in ground.covered_before
            ):
                recent[other] = ref
    spared = [recent[index] for index in sorted(recent)]
    out.update(messages[index].id for index in recent)
    return spared, flying, out


def _warnings(choice: _Choice) -> list[Problem]:
    found = []
    if choice.spared:
        params = {"count": len(choice.spared), "refs": choice.spared}
        found.append(Problem("WARN_PROTECTED_EXCLUDED", params))
    if choice.flying:
        params = {"count": len(choice.flying), "ids": choice.flying}
        found.append(Problem("WARN_IN_FLIGHT_EXCLUDED", params))
    return found


def _objection(
    item: CompressRange, choice: _Choice, ground: Ground, *, by_block: bool
) -> Problem | None:
    """Return why the range cannot be folded, judged in a fixed order."""
    if not choice.direct and not choice.consumed and choice.spared:
        return Problem("ALL_PROTECTED", {"refs": choice.spared})
    if not by_block and not choice.direct and choice.consumed:
        blocks = [block.block_id for block in choice.consumed]
        return Problem("EMPTY_REWRAP", {"blocks": blocks})
    body = trim(item.summary)
    limits = ground.config.compress
    length = units(body)
    longest = item.summary_max_chars
    if longest is None:
        longest = limits.max_summary_length
    if not body:
        return Problem("SUMMARY_EMPTY")
    if 0 < limits.min_summary_length > length:
        return Problem("SUMMARY_TOO_SHORT", {"len": length, "min": limits.min_summary_length})
    if 0 < longest < length:
        return Problem("SUMMARY_TOO_LONG", {"len": length, "max": longest})
    if _FAILURE.match(body):
        return Problem("SUMMARY_IS_ERROR", {"start": body[:80]})
    if not choice.direct and not choice.consumed:
        return Problem("IN_FLIGHT" if choice.flying else "NOTHING_COMPRESSIBLE")
    return None


def _tokens(choice: _Choice, ground: Ground) -> int:
    counter = ground.ports.count_tokens
    by_id = ground.by_id
    total = sum(message_tokens(by_id[raw], counter) for raw in choice.direct if raw in by_id)
    return total + sum(counter(block.summary) for block in choice.consumed)


def _notes(item: CompressRange, choice: _Choice, ground: Ground) -> list[Problem]:
    """Advise on folds that save nothing or repeat what they took in."""
    refs = (item.start_ref, item.end_ref)
    notes = []
    pinned = first_user(ground.messages)
    if pinned >= 0 and choice.effective == [ground.messages[pinned].id]:
        notes.append(Problem("NOTE_PINNED_ONLY", {"id": choice.effective[0]}, refs))
    repeated = [
        block.block_id
        for block in choice.consumed
        if trim(block.summary) and trim(block.summary) in item.summary
    ]
    if repeated:
        notes.append(Problem("NOTE_SUMMARY_REPEATS", {"blocks": repeated}, refs))
    return notes
