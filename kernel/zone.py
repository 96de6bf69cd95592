"""What is recent, and what is still under way: messages nobody should fold now.

Laws: the recent zone is a set of assigned refs, never of positions; large results of
reading tools do not count as recent; the live end is the last assistant run with the
results behind it.
"""

from collections.abc import Collection, Sequence
from typing import Final

from kernel.config import Config
from kernel.model import BLOCKED, SUMMARY_HEADER, CoreMessage
from kernel.pairs import in_flight, pair, turn_of
from kernel.ports import Ports, message_tokens
from kernel.state import CompressionState, covered_ids

__all__ = ["NOT_RECENT", "flying_turn", "live_tail", "recent_zone"]

# Large results of these look like recent content and are not: they would keep the zone full.
NOT_RECENT: Final = frozenset({"decompress", "search_context", "read", "bash"})


def recent_zone(
    messages: Sequence[CoreMessage],
    state: CompressionState,
    config: Config,
    ports: Ports,
    covered: Collection[str] | None = None,
) -> set[str]:
    """Return the refs of the last messages, the last tokens and the last user message."""
    by_raw = state.message_refs.by_raw
    hidden = covered_ids(state.blocks) if covered is None else covered
    count, budget = config.preserve_recent_messages, config.preserve_recent_tokens
    zone: set[str] = set()
    seen, tokens = 0, 0
    wants_user = count > 0
    for message in reversed(messages):
        if seen >= count and tokens >= budget and not wants_user:
            break
        ref = by_raw.get(message.id)
        if ref is None or ref == BLOCKED or message.id in hidden:
            continue
        if message.content_type[0] == "t" and message.content_type != "text":
            if message.tool_name in NOT_RECENT:
                continue
        elif (message.text or "").startswith(SUMMARY_HEADER):
            continue
        user = wants_user and message.role == "user"
        if seen < count or tokens < budget or user:
            zone.add(ref)
        if user:
            wants_user = False
        if tokens < budget:
            tokens += message_tokens(message, ports.count_tokens)
        seen += 1
    return zone


def flying_turn(messages: Sequence[CoreMessage]) -> set[int]:
    """Return the indices of the whole live turn that still waits for a result."""
    if not messages or messages[-1].role == "user":
        return set()
    tail = live_tail(messages)
    part = [messages[index] for index in range(tail, len(messages))]
    partner = pair(part)
    flying = in_flight(part, partner)
    if not flying:
        return set()
    return {tail + index for index in turn_of(part, min(flying), partner)}


def live_tail(messages: Sequence[CoreMessage]) -> int:
    """Return where the live end starts: the last assistant run and the results behind it."""
    index = len(messages) - 1
    while index >= 0 and messages[index].content_type == "tool-result":
        index -= 1
    while index >= 0 and messages[index].role == "assistant":
        index -= 1
    return index + 1
