"""Reasoning and the answer it leads to: a thought without one leaves the view.

Law: reasoning stands directly before an answer of its own assistant run; nothing, not
even a summary, stands between.
"""

from collections.abc import Sequence

from kernel.model import CoreMessage

__all__ = ["attached"]


def attached(messages: Sequence[CoreMessage], kept: list[int], breaks: set[int]) -> list[int]:
    """Drop reasoning that is not directly followed by an answer of its own assistant run.

    `breaks` are indices before which something else will stand in the view.
    """
    doomed: set[int] = set()
    following = -1
    for index in reversed(kept):
        if messages[index].content_type == "reasoning" and not _leads_to(
            messages, index, following, breaks
        ):
            doomed.add(index)
            continue
        following = index
    return [index for index in kept if index not in doomed] if doomed else kept


def _leads_to(
    messages: Sequence[CoreMessage], index: int, following: int, breaks: set[int]
) -> bool:
    if following < 0 or messages[following].role != "assistant":
        return False
    if messages[following].content_type == "tool-result":
        return False
    between = range(index + 1, following + 1)
    return not any(step in breaks or messages[step].role != "assistant" for step in between)
