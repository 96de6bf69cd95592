"""What the assistant messages of a path prove: that a turn settled, how much it was sent.

Laws: a turn that failed or was aborted proves nothing; usage reported before the latest
compaction or context edit of the path speaks of another context and is ignored, as is
usage whose own time is not after that compaction.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from attrs import frozen

from kernel.sessions.pi_entries import Item

__all__ = ["Usage", "is_settled", "latest_usage"]

#: Reasons to stop that end a request for good; old logs give none.
_SETTLED: Final = (None, "stop", "length", "toolUse")
_CHANGES: Final = ("compaction", "context_edit")
_COUNTS: Final = ("input", "output", "cacheRead", "cacheWrite")


@frozen
class Usage:
    """The tokens a provider counted, input and output, and the entry that says so.

    `position` is the entry's place on the path: what follows it is not counted.
    """

    entry_id: str
    position: int
    tokens: int


def is_settled(item: Item) -> bool:
    """Tell whether an entry is an assistant message whose request ended well."""
    if item.value.get("type") != "message":
        return False
    message = item.value.get("message")
    return (
        isinstance(message, Mapping)
        and message.get("role") == "assistant"
        and message.get("stopReason") in _SETTLED
    )


def latest_usage(path: Sequence[Item]) -> Usage | None:
    """Return the newest usage that speaks of the context a path has at its end."""
    found: Usage | None = None
    at = len(path)
    while at and path[at - 1].value.get("type") not in _CHANGES:
        at -= 1
        if found is None and (tokens := _tokens(path[at])):
            found = Usage(path[at].id, at, tokens)
    if found is None or not at or path[at - 1].value.get("type") != "compaction":
        return found
    since, sent = _moment(path[at - 1]), path[found.position].value["message"].get("timestamp")
    if since is not None and isinstance(sent, int | float) and sent <= since:
        return None
    return found


def _tokens(item: Item) -> int:
    if not is_settled(item):
        return 0
    usage = item.value["message"].get("usage")
    if not isinstance(usage, Mapping):
        return 0
    total = _count(usage.get("totalTokens"))
    return total or sum(_count(usage.get(name)) for name in _COUNTS)


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and 0 < value < 2**53 else 0


def _moment(item: Item) -> float | None:
    """Return the time of an entry in Unix milliseconds."""
    try:
        return datetime.fromisoformat(str(item.value.get("timestamp"))).timestamp() * 1000
    except (ValueError, OverflowError):
        return None
