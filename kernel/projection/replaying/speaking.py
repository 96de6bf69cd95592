"""What an entry says in a model's context, told by itself.

Laws: an entry speaks if it adds a message, edits aside; nothing about an entry fails.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kernel.sessions.pi_entries import Item

__all__ = ["calls_of", "is_system", "kept_by", "role_of", "speaks"]

_WRAPPED: Final = ("custom_message", "compaction", "branch_summary")


def speaks(item: Item) -> bool:
    """Tell whether an entry adds a message to the context of its branch."""
    kind = item.value.get("type")
    return kind in _WRAPPED or (
        kind == "message" and isinstance(item.value.get("message"), Mapping)
    )


def is_system(item: Item) -> bool:
    """Tell whether an entry holds a system message."""
    message = item.value.get("message")
    return isinstance(message, Mapping) and message.get("role") == "system"


def role_of(item: Item) -> str:
    """Return the role of an entry's message."""
    kind = item.value["type"]
    if kind != "message":
        return "custom" if kind == "custom_message" else str(kind)
    role = item.value["message"].get("role")
    return "custom" if role == "hookMessage" else str(role)


def kept_by(compaction: Item, path: Sequence[Item], place: Mapping[str, int]) -> Iterator[Item]:
    """Yield what a compaction keeps of the entries before it."""
    first = compaction.value.get("firstKeptEntryId")
    start = place.get(first, len(path)) if isinstance(first, str) else len(path)
    for item in path[start:]:
        if item.value.get("type") != "compaction" and not is_system(item):
            yield item


def calls_of(content: Any) -> Iterator[str]:
    """Yield the ids a content calls."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "toolCall":
            name = part.get("id")
            if isinstance(name, str) and name:
                yield name
