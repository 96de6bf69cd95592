"""What to fold now, and why: a reading of the nudge decision for people and agents.

Law: a plan names only ranges that a compress call would accept, oldest first.
"""

from collections.abc import Sequence

from attrs import field, frozen

from kernel.config import Config
from kernel.model import CoreMessage, as_tuple
from kernel.nudge import NudgeDecision, decide_nudge
from kernel.pipeline import dropped, process_turn
from kernel.ports import Ports, message_tokens
from kernel.recommend import FoldRange
from kernel.state import CompressionState

__all__ = ["Plan", "plan"]


@frozen
class Plan:
    """The ranges worth folding, the blocks worth folding again, and the reason.

    `token_count` is the host's figure, or the sum over the view where it gave none.

    Attributes:
        due: Whether a fold is due now.
        reason: Why, or why not.
        tier: What to fold: 1 messages, more for folds; None where none is due.
        context_usage: The share of the window that is used.
        ranges: What may be folded.
        blocks: The ids of the blocks to fold again.
        savings: The tokens of the ranges.
    """

    due: bool
    reason: str
    tier: int | None
    token_count: float
    context_usage: float
    ranges: tuple[FoldRange, ...] = field(converter=as_tuple)
    blocks: tuple[str, ...] = field(converter=as_tuple)
    savings: float = 0


def plan(
    messages: Sequence[CoreMessage],
    state: CompressionState | None = None,
    config: Config | None = None,
    token_count: float | None = None,
    ports: Ports | None = None,
) -> Plan:
    """Plan the folds of a raw history.

    >>> from kernel import CoreMessage, plan
    >>> ask = CoreMessage(id="u1", role="user", content_type="text", text="Use UTC.")
    >>> plan([ask]).due
    False
    """
    config = Config() if config is None else config
    ports = Ports() if ports is None else ports
    stages = dropped("nudge-inject")
    view = process_turn(messages, state, config, 0, ports=ports, render_tags="none", stages=stages)
    count = token_count
    if count is None:
        count = sum(message_tokens(message, ports.count_tokens) for message in view.messages)
    decision = decide_nudge(view.messages, view.state, config, count, ports)
    return _plan(decision, config, count)


def _plan(decision: NudgeDecision, config: Config, count: float) -> Plan:
    least = config.compress.min_compress_range
    ranges = [item for item in decision.compressible_ranges if item.chars >= least]
    return Plan(
        due=decision.should_inject,
        reason=decision.reason.code,
        tier=decision.tier,
        token_count=count,
        context_usage=decision.context_usage,
        ranges=ranges,
        blocks=[block.block_id for block in decision.tier_target_blocks],
        savings=sum(item.tokens for item in ranges),
    )
