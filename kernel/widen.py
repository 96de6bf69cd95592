"""Growing a span until it holds whole tool turns and reasoning with its answer.

Law: a true fixpoint with no limit on distance: every answered call of the span has its
result in it and every result its call; reasoning has the answer it leads to and an
answer the reasoning before it. Compress calls pull nothing in, they are never folded.
"""

from collections.abc import Sequence

from kernel.model import COMPRESS_TOOL, CoreMessage

__all__ = ["widen"]


def widen(
    messages: Sequence[CoreMessage], start: int, end: int, partner: dict[int, int]
) -> tuple[int, int]:
    """Return the smallest span around an inclusive one that splits nothing."""
    low, high = start, end
    done_low, done_high = start, start - 1
    while True:
        fresh = [*range(low, done_low), *range(done_high + 1, high + 1)]
        if not fresh:
            return low, high
        done_low, done_high = low, high
        for index in fresh:
            message = messages[index]
            other = partner.get(index)
            if other is not None and message.tool_name != COMPRESS_TOOL:
                low, high = min(low, other), max(high, other)
            if message.content_type == "reasoning":
                high = max(high, _answer(messages, index))
            elif message.role == "assistant":
                low = min(low, _reasoning_start(messages, index))


def _answer(messages: Sequence[CoreMessage], index: int) -> int:
    """Return the answer a reasoning run leads to, or the index itself."""
    position = index
    while position < len(messages) and messages[position].content_type == "reasoning":
        position += 1
    if position < len(messages):
        message = messages[position]
        if message.role == "assistant" and message.content_type != "tool-result":
            return position
    return index


def _reasoning_start(messages: Sequence[CoreMessage], index: int) -> int:
    """Return the first reasoning of the run directly before an answer, or the index."""
    position = index
    while position > 0 and messages[position - 1].content_type == "reasoning":
        position -= 1
    return position
