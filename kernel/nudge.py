"""When to remind the model that it may fold, of what, and why not.

Laws: growth since the last reminder opens the gate, tiers only change what is asked for;
under pressure the largest backlog is asked for, in every turn; a reminder is given only
where a fold can succeed; a reason names what really blocks. T1 reminders also wait for
`nudge.minContextLimitPct` of the window. A first user message that alone exceeds the
window can never be folded: no reminder asks for it.
"""

import math
from collections.abc import Sequence
from typing import Any

from attrs import evolve, field, frozen

from kernel.breakdown import ContextBreakdown, breakdown_of
from kernel.config import Config
from kernel.model import CompressionBlock, CoreMessage, as_tuple
from kernel.ports import Ports
from kernel.recommend import FoldRange, ProtectedRange, Sized, merged, ranges, sized
from kernel.state import CompressionState, NudgeState
from kernel.text import half_up

__all__ = [
    "Gathered",
    "NudgeDecision",
    "Reason",
    "decide",
    "decide_nudge",
    "growth_step",
    "stamped",
]

_TIERS = (1, 2, 3)


@frozen
class Reason:
    """Why a reminder is due or not, as a code with its parameters.

    Codes: T1_READY, T2_READY, T3_READY, OVER-LIMIT_INJECT, EMERGENCY_INJECT,
    OVER-LIMIT_SUPPRESSED, EMERGENCY_SUPPRESSED, IRREDUCIBLE, IDLE.
    """

    code: str
    tier: int | None = None
    growth_short: bool | None = None
    pending_short: bool | None = None
    usage_short: bool | None = None
    ready: tuple[str, ...] | None = None
    blocked: tuple[str, ...] | None = None
    irreducible_tokens: int | None = None


@frozen
class NudgeDecision:
    """Whether to remind, of which tier, and what to fold; `context_usage` is 0..1."""

    should_inject: bool
    reason: Reason
    compressible_ranges: tuple[FoldRange, ...] = field(converter=as_tuple)
    protected_ranges: tuple[ProtectedRange, ...] = field(converter=as_tuple)
    tier_target_blocks: tuple[CompressionBlock, ...] = field(converter=as_tuple)
    context_usage: float
    tier: int | None
    breakdown: dict[str, float]
    context_breakdown: ContextBreakdown


@frozen
class _Numbers:
    """The figures one decision weighs."""

    usage: float
    step: float
    floor: float
    reference: float
    growth: float
    pending: tuple[float, float, float]
    token_count: float


def growth_step(config: Config) -> float:
    """Return the growth in tokens that makes a reminder worth while."""
    nudge, limit = config.nudge, config.model_context_limit
    if limit <= 0:
        return nudge.growth_floor
    wanted = half_up(limit * nudge.growth_ratio)
    return max(nudge.growth_floor, min(nudge.growth_cap, wanted))


def decide_nudge(
    messages: Sequence[CoreMessage],
    state: CompressionState,
    config: Config,
    token_count: float,
    ports: Ports | None = None,
) -> NudgeDecision:
    """Decide on a view (untagged) with its refs assigned; the state is not stamped. Seed §4."""
    ports = Ports() if ports is None else ports
    sizes = sized(messages, ports)
    found, guarded = ranges(messages, state, config, ports, sizes)
    joined = merged(found, config.compress.min_compress_range)
    least = config.compress.min_compress_range
    pending = sum(item.tokens for item in joined if item.chars >= least)
    gathered = Gathered(
        joined, guarded, pending, breakdown_of(messages, sizes), pinned_tokens(messages, sizes)
    )
    return decide(state, config, token_count, ports, gathered)


def pinned_tokens(messages: Sequence[CoreMessage], sizes: Sized) -> int:
    """Return the tokens of the first user message."""
    for index, message in enumerate(messages):
        if message.role == "user":
            return sizes.tokens[index]
    return 0


@frozen
class Gathered:
    """What a decision needs of a view: ranges, their tokens, classes, the pinned message."""

    joined: Sequence[FoldRange]
    guarded: Sequence[ProtectedRange]
    pending: float
    context: ContextBreakdown
    pinned: int


def decide(
    state: CompressionState, config: Config, token_count: float, ports: Ports, gathered: Gathered
) -> NudgeDecision:
    """Weigh figures already gathered from a view."""
    numbers = _numbers(state, config, token_count, ports, gathered.pending)
    reason = _irreducible(config, gathered.pinned) or _reason(state, config, numbers)
    tier = reason.tier
    if tier is None and reason.code in _READY:
        tier = _READY[reason.code]
    targets = [block for block in state.blocks if tier and block.active and block.tier == tier - 1]
    return NudgeDecision(
        should_inject=tier is not None,
        reason=reason,
        compressible_ranges=gathered.joined,
        protected_ranges=gathered.guarded,
        tier_target_blocks=targets,
        context_usage=numbers.usage,
        tier=tier,
        breakdown=_breakdown(state, config, numbers),
        context_breakdown=evolve(gathered.context, total=token_count, growth=numbers.growth),
    )


_READY = {f"T{tier}_READY": tier for tier in _TIERS}


def _numbers(
    state: CompressionState, config: Config, token_count: float, ports: Ports, pending: float
) -> _Numbers:
    nudge, limit = config.nudge, config.model_context_limit
    step = growth_step(config)
    stamps = state.nudge
    reference = stamps.last_nudge_shown_tokens
    if reference <= 0:
        reference = stamps.last_per_message_nudge_tokens
    if reference <= 0:
        reference = token_count
    masses = [0.0, 0.0, 0.0, 0.0]
    for block in state.blocks:
        if block.active and block.tier in (1, 2):
            masses[block.tier] += ports.count_tokens(block.summary)
    return _Numbers(
        usage=token_count / limit if limit > 0 else 0,
        step=step,
        floor=max(nudge.min_growth_floor, nudge.min_growth_ratio * step),
        reference=reference,
        growth=token_count - reference,
        pending=(pending, _plain(masses[1]), _plain(masses[2])),
        token_count=token_count,
    )


def _plain(value: float) -> float:
    """Spell whole numbers as integers, as a JSON host does."""
    return int(value) if value == int(value) else value


def _irreducible(config: Config, pinned: int) -> Reason | None:
    limit = config.model_context_limit
    if 0 < limit <= pinned:
        return Reason("IRREDUCIBLE", irreducible_tokens=pinned)
    return None


def _reason(state: CompressionState, config: Config, numbers: _Numbers) -> Reason:
    nudge = config.nudge
    emergency = numbers.usage >= nudge.emergency_threshold_pct
    if emergency or numbers.usage >= nudge.max_context_limit_pct:
        label = "EMERGENCY" if emergency else "OVER-LIMIT"
        tier = _largest(config, numbers)
        if tier is None:
            return Reason(f"{label}_SUPPRESSED")
        return Reason(f"{label}_INJECT", tier=tier)
    if numbers.growth >= numbers.floor:
        tier = _due(state, config, numbers)
        if tier is not None:
            return Reason(f"T{tier}_READY")
    return _idle(state, config, numbers)


def _largest(config: Config, numbers: _Numbers) -> int | None:
    """Return the tier with the largest backlog, the lower one on a tie."""
    best, most = None, 0.0
    for tier, mass in zip(_TIERS, numbers.pending, strict=True):
        if mass > most and (tier == 1 or config.tiers.enabled):
            best, most = tier, mass
    return best


def _due(state: CompressionState, config: Config, numbers: _Numbers) -> int | None:
    """Return the tier the growth gate lets through; a tier in its pause blocks those above."""
    first, second, third = numbers.pending
    if first >= numbers.step and numbers.usage >= config.nudge.min_context_limit_pct:
        return 1
    if not config.tiers.enabled:
        return None
    mass = half_up(numbers.step * config.nudge.tier2_growth_multiplier)
    counts = [sum(b.active and b.tier == tier for b in state.blocks) for tier in (1, 2)]
    if (second >= mass and second > first) or counts[0] >= config.tiers.tier2_trigger:
        return 2 if _rested(state, 2, numbers) else None
    if (third >= mass and third > max(first, second)) or counts[1] >= config.tiers.tier3_trigger:
        return 3 if _rested(state, 3, numbers) else None
    return None


def _rested(state: CompressionState, tier: int, numbers: _Numbers) -> bool:
    shown = state.nudge.last_shown_by_tier.get(str(tier), 0)
    return not shown or numbers.token_count - shown >= numbers.floor


def _idle(state: CompressionState, config: Config, numbers: _Numbers) -> Reason:
    ready = [
        tier
        for tier, mass in zip(_TIERS, numbers.pending, strict=True)
        if mass >= numbers.step and (tier == 1 or config.tiers.enabled)
    ]
    low = numbers.usage < config.nudge.min_context_limit_pct
    return Reason(
        "IDLE",
        growth_short=numbers.growth < numbers.floor,
        pending_short=max(numbers.pending) < numbers.step,
        usage_short=True if low and 1 in ready else None,
        ready=tuple(f"T{tier}" for tier in ready),
        blocked=tuple(f"T{tier}" for tier in ready if not _rested(state, tier, numbers)),
    )


def _breakdown(state: CompressionState, config: Config, numbers: _Numbers) -> dict[str, float]:
    nudge = config.nudge
    waiting = state.nudge.last_nudge_shown_tokens > 0
    first, second, third = numbers.pending
    return {
        "usage": numbers.usage,
        "growth": numbers.growth,
        "growthReference": numbers.reference,
        "effectiveThreshold": math.floor(numbers.step / 2) if waiting else numbers.step,
        "nudgeGrowthTokens": numbers.step,
        "growthFloor": _plain(numbers.floor),
        "hasPendingNudge": int(waiting),
        "overLimit": int(numbers.usage >= nudge.max_context_limit_pct),
        "emergencyOverride": int(numbers.usage >= nudge.emergency_threshold_pct),
        "pendingT1": first,
        "pendingT2": second,
        "pendingT3": third,
    }


def stamped(
    nudge: NudgeState, decision: NudgeDecision, config: Config, token_count: float
) -> NudgeState:
    """Remember a turn: re-anchor after a large drop, start the baseline, note a reminder."""
    changes: dict[str, Any] = {}
    baseline = nudge.last_per_message_nudge_tokens
    shown = dict(nudge.last_shown_by_tier)
    if baseline > 0 and token_count < baseline - growth_step(config):
        changes["last_per_message_nudge_tokens"] = token_count
        changes["last_nudge_shown_tokens"] = 0
        shown = {}
    elif baseline == 0 and token_count:
        changes["last_per_message_nudge_tokens"] = token_count
    if decision.should_inject:
        changes["last_nudge_shown_tokens"] = token_count
        shown[str(decision.tier)] = token_count
    if shown != nudge.last_shown_by_tier:
        changes["last_shown_by_tier"] = shown
    return evolve(nudge, **changes) if changes else nudge
