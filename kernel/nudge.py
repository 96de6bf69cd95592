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
from kernel.triggers import (
    Numbers,
    Reason,
    growth_step,
    irreducible,
    plain,
    reason_for,
    tier_of,
    weigh,
)

__all__ = [
    "Gathered",
    "NudgeDecision",
    "Reason",
    "decide",
    "decide_nudge",
    "growth_step",
    "stamped",
]


@frozen
class NudgeDecision:
    """Whether to remind, of which tier, and what to fold; `context_usage` is 0..1.

    Attributes:
        should_inject: Whether to remind.
        reason: Why, or why not.
        compressible_ranges: What may be folded.
        protected_ranges: What may not.
        tier_target_blocks: The blocks to fold again, of a reminder for a higher tier.
        tier: What to fold: 1 messages, more for folds; None without a reminder.
        breakdown: The figures it was decided on.
        context_breakdown: Where the tokens are.
    """

    should_inject: bool
    reason: Reason
    compressible_ranges: tuple[FoldRange, ...] = field(converter=as_tuple)
    protected_ranges: tuple[ProtectedRange, ...] = field(converter=as_tuple)
    tier_target_blocks: tuple[CompressionBlock, ...] = field(converter=as_tuple)
    context_usage: float
    tier: int | None
    breakdown: dict[str, float]
    context_breakdown: ContextBreakdown


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
    numbers = weigh(state, config, token_count, ports, gathered.pending)
    reason = irreducible(config, gathered.pinned) or reason_for(state, config, numbers)
    tier = tier_of(reason)
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


def _breakdown(state: CompressionState, config: Config, numbers: Numbers) -> dict[str, float]:
    nudge = config.nudge
    waiting = state.nudge.last_nudge_shown_tokens > 0
    first, second, third = numbers.pending
    return {
        "usage": numbers.usage,
        "growth": numbers.growth,
        "growthReference": numbers.reference,
        "effectiveThreshold": math.floor(numbers.step / 2) if waiting else numbers.step,
        "nudgeGrowthTokens": numbers.step,
        "growthFloor": plain(numbers.floor),
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
