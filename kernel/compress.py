"""Folding: a model's decision applied to the state.

Laws: each range lands whole or not at all, the others of its batch still land; after
widening no two ranges of a batch overlap and no raw id is under two active blocks;
protection holds in both id lists of a block, for a call and its result together; a call
in flight is never folded; a summary is judged, never edited. Problems are values with a
code, parameters and the range they belong to.
"""

from collections.abc import Sequence
from typing import Any

from attrs import evolve, field, frozen

from kernel.boundaries import BoundaryError, Resolution, resolve
from kernel.config import Config
from kernel.fold import Ground, Problem, fold
from kernel.model import CompressRange, CoreMessage, as_tuple
from kernel.pairs import pair
from kernel.places import Places
from kernel.ports import Ports
from kernel.protection import protected_indices, protector
from kernel.state import CompressionState, block_number, covered_ids
from kernel.text import total_units
from kernel.widen import widen
from kernel.zone import flying_turn, recent_zone

__all__ = ["Applied", "ApplyResult", "Problem", "Rejections", "apply_compression"]

Rejections = tuple[tuple[str, int], ...]
_REMEMBERED = 8


@frozen
class ApplyResult:
    """What a call did. `notes` are advice on folds that landed, nothing failed there.

    Attributes:
        blocks_created: How many folds landed.
        tokens_compressed: How many tokens they hide.
        errors: Why ranges were refused.
        warnings: What was left out of folds that landed.
    """

    blocks_created: int
    tokens_compressed: float
    errors: tuple[Problem, ...] = field(default=(), converter=as_tuple)
    warnings: tuple[Problem, ...] = field(default=(), converter=as_tuple)
    notes: tuple[Problem, ...] = field(default=(), converter=as_tuple)


@frozen
class Applied:
    """The state after a call, its result, and the refusals to pass to the next call.

    Attributes:
        state: The state to keep.
        result: What was done.
        rejections: The refusals; give them to the next call.
    """

    state: CompressionState
    result: ApplyResult
    rejections: Rejections = ()


@frozen
class _Judged:
    """A range with what became of its boundaries: `ok`, consumed, unknown or invalid."""

    range: CompressRange
    verdict: str
    resolution: Resolution | None = None
    error: BoundaryError | None = None
    span: tuple[int, int] = (0, -1)
    skipped: bool = False


def apply_compression(
    ranges: Sequence[CompressRange],
    messages: Sequence[CoreMessage],
    state: CompressionState,
    config: Config | None = None,
    *,
    now: float = 0,
    ports: Ports | None = None,
    recent: set[str] | None = None,
    rejections: Rejections = (),
) -> Applied:
    """Fold ranges; `now` is the time in milliseconds to stamp on new blocks.

    `recent` replaces the computed recent zone (a set of refs). `rejections` is what the
    last call returned: the second refusal of the same batch says that it is final.
    Seed §4.

    >>> from kernel import CompressRange, CoreMessage, config_from_json, process_turn
    >>> config = config_from_json({
    ...     "compress": {"minCompressRange": 0, "minSummaryLength": 0},
    ...     "preserveRecentMessages": 1, "preserveRecentTokens": 0,
    ... })
    >>> talk = [
    ...     CoreMessage(id=f"m{n}", role=role, content_type="text", text=text)
    ...     for n, (role, text) in enumerate([
    ...         ("user", "Which zone is the epoch column in?"),
    ...         ("assistant", "It is local time."),
    ...         ("user", "Use UTC."),
    ...     ])
    ... ]
    >>> turn = process_turn(talk, config=config, token_count=900)
    >>> fold = CompressRange("m00001", "m00002", "The epoch column is local time.")
    >>> done = apply_compression([fold], talk, turn.state, config)
    >>> done.result.blocks_created
    1
    >>> for message in process_turn(talk, done.state, config, 900, render_tags="none").messages:
    ...     print(message.role, "|", message.text.splitlines()[-1])
    system | The epoch column is local time.
    user | Which zone is the epoch column in?
    user | Use UTC.
    """
    config = Config() if config is None else config
    ports = Ports() if ports is None else ports
    places = Places(messages, state)
    partner = pair(messages)
    judged = _without_overlaps([_judge(item, places, state, partner) for item in ranges])
    refusal = _gate(judged, state, config, places)
    if refusal is not None:
        return _refused(refusal, judged, state, rejections)
    ground = Ground(
        messages=messages,
        places=places,
        config=config,
        ports=ports,
        now=now,
        run_id=f"r{state.next_run_id}",
        recent=recent_zone(messages, state, config, ports) if recent is None else recent,
        covered_before=covered_ids(state.blocks),
        protected=protected_indices(messages, protector(config, ports)),
        flying=flying_turn(messages),
        partner=partner,
        by_id={message.id: message for message in messages},
    )
    return _land(judged, ground, evolve(state, next_run_id=state.next_run_id + 1))


def _judge(
    item: CompressRange, places: Places, state: CompressionState, partner: dict[int, int]
) -> _Judged:
    found = resolve(item.start_ref, item.end_ref, places, state)
    if isinstance(found, BoundaryError):
        return _Judged(item, found.kind, error=found)
    span = (found.start_index, found.end_index)
    if found.boundary_kind == "message":
        span = widen(places.messages, *span, partner)
    return _Judged(item, "ok", found, span=span)


def _without_overlaps(judged: list[_Judged]) -> list[_Judged]:
    """Mark later ranges that overlap an earlier one, by widened spans."""
    order = sorted(
        (index for index, item in enumerate(judged) if item.verdict == "ok"),
        key=lambda index: judged[index].span[0],
    )
    end = -1
    for index in order:
        start, stop = judged[index].span
        if start <= end:
            judged[index] = evolve(judged[index], skipped=True)
        else:
            end = stop
    return judged


def _gate(
    judged: Sequence[_Judged], state: CompressionState, config: Config, places: Places
) -> Problem | None:
    """Refuse a batch that folds too little; block ranges are exempt."""
    least = config.compress.min_compress_range
    fine = [item for item in judged if item.resolution is not None]
    if least <= 0 or not judged:
        return None
    if any(item.resolution and item.resolution.boundary_kind == "block" for item in fine):
        return None
    counted = [item for item in fine if not item.skipped]
    texts = (
        places.messages[places.first[raw]].text or ""
        for item in counted
        if item.resolution
        for raw in item.resolution.message_ids
    )
    chars = total_units(texts)
    if chars >= least:
        return None
    verdicts = [item.verdict for item in judged]
    if not fine and "consumed" not in verdicts and "unknown" in verdicts:
        return Problem("GATE_ALL_UNKNOWN", {"ranges": len(judged)})
    if "consumed" in verdicts:
        numbers = sorted(block_number(block.block_id) for block in state.blocks if block.active)
        span = [f"b{numbers[0]}", f"b{numbers[-1]}"] if numbers else None
        return Problem("GATE_ALREADY_COMPRESSED", {"chars": chars, "liveSpan": span, "min": least})
    return Problem("GATE_TOO_SMALL", {"chars": chars, "ranges": len(counted), "min": least})


def _refused(
    refusal: Problem, judged: Sequence[_Judged], state: CompressionState, seen: Rejections
) -> Applied:
    """Reject the batch whole; the same batch refused again is told that it is final."""
    spots = (f"{item.range.start_ref}..{item.range.end_ref}" for item in judged)
    signature = f"{refusal.code} {' '.join(spots)}"
    times = dict(seen).get(signature, 0) + 1
    if times > 1:
        refusal = evolve(refusal, params={**refusal.params, "terminal": True, "times": times})
    kept = [entry for entry in seen if entry[0] != signature]
    rejections = (*kept, (signature, times))[-_REMEMBERED:]
    errors = [refusal, *(_error(item) for item in judged if item.verdict in ("unknown", "invalid"))]
    return Applied(state, ApplyResult(0, 0, errors), rejections)


def _error(item: _Judged) -> Problem:
    error = item.error
    params: dict[str, Any] = {}
    if error is not None and error.endpoint is not None:
        params = {"endpoint": error.endpoint, "ref": error.ref}
    code = error.code if error is not None else "INVALID_REF"
    return Problem(code, params, (item.range.start_ref, item.range.end_ref))


def _land(judged: Sequence[_Judged], ground: Ground, state: CompressionState) -> Applied:
    errors: list[Problem] = []
    warnings: list[Problem] = []
    notes: list[Problem] = []
    created, tokens = 0, 0.0
    for item in judged:
        spelled = {"start": item.range.start_ref, "end": item.range.end_ref}
        if item.skipped:
            warnings.append(Problem("WARN_OVERLAP_SKIPPED", spelled))
        elif item.verdict == "consumed":
            warnings.append(Problem("WARN_CONSUMED_SKIPPED", spelled))
        elif item.resolution is None:
            errors.append(_error(item))
        else:
            for snap in item.resolution.snapped_boundaries:
                params = {"endpoint": snap.endpoint, "ref": snap.ref}
                warnings.append(Problem("SNAPPED", params))
            landed = fold(item.range, item.resolution, item.span, ground, state)
            warnings.extend(landed.warnings)
            notes.extend(landed.notes)
            if landed.error is not None:
                errors.append(landed.error)
                continue
            state = landed.state
            created += 1
            tokens += landed.tokens
    if created:
        state = _counted(state, created, tokens)
    return Applied(state, ApplyResult(created, _whole(tokens), errors, warnings, notes))


def _whole(value: float) -> float:
    return int(value) if float(value).is_integer() else value


def _counted(state: CompressionState, created: int, tokens: float) -> CompressionState:
    """Count the folds and forget when the model was last reminded."""
    stats = evolve(
        state.stats,
        tokens_compressed=_whole(state.stats.tokens_compressed + tokens),
        compression_count=state.stats.compression_count + created,
    )
    nudge = evolve(
        state.nudge,
        last_per_message_nudge_tokens=0,
        last_nudge_shown_tokens=0,
        last_shown_by_tier={},
    )
    return evolve(state, stats=stats, nudge=nudge)
