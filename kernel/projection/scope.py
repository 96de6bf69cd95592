"""The context of one epoch as replay walks it: its sources, and which block covers each.

Laws: sources stand in the order of the model's context; a source taken out by a context
edit keeps its place but is not visible; what is asked about a range costs the range's
length, never the context's; a digest is computed when it is first asked for.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kernel.projection.digests import leaf_digest, source_digest
from kernel.sessions.pi_entries import Item, message_of

__all__ = ["Scope", "is_system", "kept_by", "speaks"]

_WRAPPED: Final = ("custom_message", "compaction", "branch_summary")
_SUMMARIES: Final = ("compaction", "branch_summary")
#: The call of a result that nothing called.
_NOBODY: Final = -1


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


def kept_by(compaction: Item, path: Sequence[Item], place: Mapping[str, int]) -> Iterator[Item]:
    """Yield what a compaction keeps of the entries before it."""
    first = compaction.value.get("firstKeptEntryId")
    start = place.get(first, len(path)) if isinstance(first, str) else len(path)
    for item in path[start:]:
        if item.value.get("type") != "compaction" and not is_system(item):
            yield item


class Scope:
    """The sources of an epoch so far; grows at the end only."""

    __slots__ = (
        "_calls",
        "_digests",
        "_edits",
        "_heads",
        "_open",
        "_waiting",
        "items",
        "owner",
        "place",
    )

    def __init__(self, digests: dict[str, str]) -> None:
        """Start empty; `digests` remembers the digests of sources by entry id."""
        self.items: list[Item] = []
        self.place: dict[str, int] = {}
        self.owner: dict[str, str] = {}
        self._edits: dict[str, Any] = {}
        self._digests = digests
        # Positions at which an atom starts; a result joins all since its call to one atom.
        self._heads: list[int] = []
        self._calls: dict[int, int] = {}
        self._open: dict[int, int] = {}
        self._waiting: dict[str, list[int]] = {}

    def copy(self) -> "Scope":
        """Return a scope that grows on its own."""
        twin = Scope(self._digests)
        for name in self.__slots__:
            if name != "_digests":
                setattr(twin, name, getattr(self, name).copy())
        twin._waiting = {name: calls.copy() for name, calls in self._waiting.items()}
        return twin

    def add(self, item: Item) -> None:
        """Take the next entry of the context: a source, an edit, or nothing of either."""
        if item.value.get("type") == "context_edit":
            target = item.value.get("targetId")
            if isinstance(target, str):
                self._edits[target] = item.value.get("replacement")
        elif speaks(item):
            at = len(self.items)
            self.place[item.id] = at
            self.items.append(item)
            self._heads.append(at)
            message = item.value.get("message")
            if isinstance(message, Mapping) and item.value["type"] == "message":
                self._pair(at, message)

    def _pair(self, at: int, message: Mapping[str, Any]) -> None:
        if message.get("role") == "assistant":
            for call in _calls_of(message.get("content")):
                self._waiting.setdefault(call, []).append(at)
                self._open[at] = self._open.get(at, 0) + 1
        elif message.get("role") == "toolResult":
            answered = message.get("toolCallId")
            if not isinstance(answered, str) or not answered:
                return
            calls = self._waiting.get(answered)
            if not calls:
                self._calls[at] = _NOBODY
                return
            self._calls[at] = caller = calls.pop()
            self._open[caller] -= 1
            while self._heads[-1] > caller:
                self._heads.pop()

    def omitted(self, entry_id: str) -> bool:
        """Tell whether an edit took a source out of the context."""
        return entry_id in self._edits and not isinstance(self._edits[entry_id], Mapping)

    def visible(self, entry_id: str) -> bool:
        """Tell a source that stands in the view as itself."""
        return entry_id in self.place and entry_id not in self.owner and not self.omitted(entry_id)

    def is_summary(self, entry_id: str) -> bool:
        """Tell a source that is no raw message: a summary of the host's, a system message."""
        item = self.items[self.place[entry_id]]
        return item.value.get("type") in _SUMMARIES or is_system(item)

    def message(self, entry_id: str) -> Mapping[str, Any]:
        """Return the message of a source as its entry stores it."""
        return message_of(self.items[self.place[entry_id]], {}) or {}

    def digest(self, entry_id: str) -> str:
        """Return the digest of a source."""
        if entry_id not in self._digests:
            self._digests[entry_id] = source_digest(self.message(entry_id))
        return self._digests[entry_id]

    def leaf_digest(self, entry_ids: Iterable[str]) -> str:
        """Return the digest of ordered leaves."""
        return leaf_digest((name, self.digest(name)) for name in entry_ids)

    def contiguous(self, entry_ids: Sequence[str]) -> bool:
        """Tell whether sources ascend with nothing visible or covered between them."""
        expected = self.place[entry_ids[0]]
        for name in entry_ids:
            at = self.place[name]
            if at < expected:
                return False
            if not all(self.omitted(item.id) for item in self.items[expected:at]):
                return False
            expected = at + 1
        return True

    def whole(self, entry_ids: Sequence[str]) -> bool:
        """Tell whether ascending sources part no atom, and hold no broken one."""
        first, last = self.place[entry_ids[0]], self.place[entry_ids[-1]]
        while first and self.omitted(self.items[first - 1].id):
            first -= 1
        while last + 1 < len(self.items) and self.omitted(self.items[last + 1].id):
            last += 1
        if not (self._is_head(first) and self._is_head(last + 1)):
            return False
        return all(
            self._calls.get(at) != _NOBODY and not self._open.get(at)
            for at in range(first, last + 1)
        )

    def _is_head(self, at: int) -> bool:
        if at == len(self.items):
            return True
        found = bisect_left(self._heads, at)
        return found < len(self._heads) and self._heads[found] == at


def _calls_of(content: Any) -> Iterator[str]:
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping) and part.get("type") == "toolCall":
            name = part.get("id")
            if isinstance(name, str) and name:
                yield name
