"""What makes a reminder due: the figures, the thresholds, the reasons.

Laws: growth opens the gate, tiers only change what is asked for; a tier in its pause
blocks those above it; under pressure the largest backlog is asked for in every turn; a
reason names what really blocks.
"""

import math

from attrs import frozen

from kernel.config import Config
from kernel.ports import Ports
from kernel.state import CompressionState
from kernel.text import half_up

__all__ = [
    "Numbers",
    "Reason",
    "growth_step",
    "irreducible",
    "plain",
    "reason_for",
    "tier_of",
    "weigh",
]

_TIERS = (1, 2, 3)
_READY = {f"T{tier}_READY": tier for tier in _TIERS}


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
class Numbers:
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
    if not 0 < limit < math.inf:
        return nudge.growth_floor
    wanted = half_up(limit * nudge.growth_ratio)
    return max(nudge.growth_floor, min(nudge.growth_cap, wanted))


def weigh(
    state: CompressionState, config: Config, token_count: float, ports: Ports, pending: float
) -> Numbers:
    """Gather the figures of a turn; `pending` are the tokens a T1 fold could take."""
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
    return Numbers(
        usage=token_count / limit if limit > 0 else 0,
        step=step,
        floor=max(nudge.min_growth_floor, nudge.min_growth_ratio * step),
        reference=reference,
        growth=token_count - reference,
        pending=(pending, plain(masses[1]), plain(masses[2])),
        token_count=token_count,
    )


def plain(value: float) -> float:
    """Spell whole numbers as integers, as a JSON host does."""
    return int(value) if float(value).is_integer() else value


def irreducible(config: Config, pinned: int) -> Reason | None:
    """Return the reason for silence where the pinned message alone exceeds the window."""
    limit = config.model_context_limit
    if 0 < limit <= pinned:
        return Reason("IRREDUCIBLE", irreducible_tokens=pinned)
    return None


def reason_for(state: CompressionState, config: Config, numbers: Numbers) -> Reason:
    """Judge the figures."""
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


def _largest(config: Config, numbers: Numbers) -> int | None:
    """Return the tier with the largest backlog, the lower one on a tie."""
    best, most = None, 0.0
    for tier, mass in zip(_TIERS, numbers.pending, strict=True):
        if mass > most and (tier == 1 or config.tiers.enabled):
            best, most = tier, mass
    return best


def _due(state: CompressionState, config: Config, numbers: Numbers) -> int | None:
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


def _rested(state: CompressionState, tier: int, numbers: Numbers) -> bool:
    shown = state.nudge.last_shown_by_tier.get(str(tier), 0)
    return not shown or numbers.token_count - shown >= numbers.floor


def _idle(state: CompressionState, config: Config, numbers: Numbers) -> Reason:
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


def tier_of(reason: Reason) -> int | None:
    """Return the tier a reason asks to fold, None where no reminder is due."""
    return reason.tier if reason.tier is not None else _READY.get(reason.code)
