"""The context of one epoch as replay walks it: its sources, and which block covers each.

Laws: sources stand in the order of the model's context; a source taken out by a context
edit keeps its place but is not visible; what is asked about a range costs the range's
length, never the context's; a digest is computed when it is first asked for.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from kernel.projection.log.digests import leaf_digest, source_digest
from kernel.projection.replaying.speaking import calls_of, is_system, role_of, speaks
from kernel.sessions.pi_entries import Item, message_of

__all__ = ["Scope"]

_SUMMARIES: Final = ("compaction", "branch_summary")
#: The call of a result that nothing called.
_NOBODY: Final = -1
#: The roles of people and of the model.
_SPOKEN: Final = ("user", "custom", "bashExecution", "assistant")


class Scope:
    """The sources of an epoch so far; grows at the end only."""

    __slots__ = (
        "_asked",
        "_calls",
        "_digests",
        "_edits",
        "_heads",
        "_open",
        "_spoken",
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
        # By position: who called a result, what a source calls, how much of it is open.
        self._calls: dict[int, int] = {}
        self._asked: dict[int, tuple[str, ...]] = {}
        self._open: dict[int, int] = {}
        self._waiting: dict[str, list[int]] = {}
        # Places of what people and the model said, by role, in order.
        self._spoken: dict[str, list[int]] = {role: [] for role in _SPOKEN}

    def copy(self) -> "Scope":
        """Return a scope that grows on its own."""
        twin = Scope(self._digests)
        for name in self.__slots__:
            if name != "_digests":
                setattr(twin, name, getattr(self, name).copy())
        twin._spoken = {role: places.copy() for role, places in self._spoken.items()}
        twin._waiting = {name: calls.copy() for name, calls in self._waiting.items()}
        return twin

    def add(self, item: Item) -> str | None:
        """Take the next entry of the context: a source, an edit, or nothing of either.

        Returns the id of the source that an edit shows otherwise than before.
        """
        if item.value.get("type") == "context_edit":
            return self._edit(item.value.get("targetId"), item.value.get("replacement"))
        if speaks(item):
            at = len(self.items)
            self.place[item.id] = at
            self.items.append(item)
            self._heads.append(at)
            spoken = self._spoken.get(role_of(item))
            if spoken is not None:
                spoken.append(at)
            self._tie(at)
        return None

    def _edit(self, target: Any, replacement: Any) -> str | None:
        if not isinstance(target, str):
            return None
        same = target in self._edits and self._edits[target] == replacement
        self._edits[target] = replacement
        if same or target not in self.place:
            return None
        self._tie_again(self.place[target])
        return target

    def _tie(self, at: int) -> None:
        """Join a source to the atom of the call it answers, or note what it calls."""
        item = self.items[at]
        if item.value["type"] != "message":
            return
        message = item.value["message"]
        if item.id in self._edits:
            message = message_of(item, self._edits) or {}
        if message.get("role") == "assistant":
            calls = tuple(calls_of(message.get("content")))
            if calls:
                self._asked[at] = calls
                self._open[at] = len(calls)
            for call in calls:
                insort(self._waiting.setdefault(call, []), at)
        elif message.get("role") == "toolResult":
            answered = message.get("toolCallId")
            if isinstance(answered, str) and answered:
                self._answer(at, self._waiting.get(answered, []))

    def _answer(self, at: int, waiting: list[int]) -> None:
        nearest = bisect_left(waiting, at) - 1
        if nearest < 0:
            self._calls[at] = _NOBODY
            return
        self._calls[at] = caller = waiting.pop(nearest)
        self._open[caller] -= 1
        del self._heads[bisect_right(self._heads, caller) : bisect_right(self._heads, at)]

    def _tie_again(self, at: int) -> None:
        """Take the atom of an edited source apart and tie it as the edit leaves it."""
        head = bisect_right(self._heads, at) - 1
        ends = [*self._heads[head + 1 : head + 2], len(self.items)]
        atom = range(self._heads[head], ends[0])
        for member in atom:
            self._calls.pop(member, None)
            self._open.pop(member, None)
            for call in self._asked.pop(member, ()):
                if member in self._waiting[call]:
                    self._waiting[call].remove(member)
        self._heads[head : head + 1] = atom
        for member in atom:
            self._tie(member)

    def edited(self, entry_id: str) -> bool:
        """Tell whether an edit changed a source, or took it out."""
        return entry_id in self._edits

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

    def shown(self, entry_id: str) -> Mapping[str, Any]:
        """Return the message of a source as edits leave it."""
        return message_of(self.items[self.place[entry_id]], self._edits) or {}

    def call_of(self, entry_id: str) -> Mapping[str, Any] | None:
        """Return the call a result answers, None where nothing called it."""
        caller = self._calls.get(self.place[entry_id], _NOBODY)
        if caller == _NOBODY:
            return None
        wanted = self.message(entry_id).get("toolCallId")
        content = self.shown(self.items[caller].id).get("content")
        parts = content if isinstance(content, list) else ()
        return next(
            (part for part in parts if isinstance(part, Mapping) and part.get("id") == wanted), None
        )

    def newest(self, role: str) -> int:
        """Return the place of the newest source of a role that is no edit's victim, else -1."""
        places = reversed(self._spoken[role])
        return next((at for at in places if not self.omitted(self.items[at].id)), -1)

    def answers_before(self, end: int) -> Iterator[int]:
        """Yield the places of the model's messages before a place, newest first."""
        places = self._spoken["assistant"]
        for number in range(bisect_left(places, end) - 1, -1, -1):
            if not self.omitted(self.items[places[number]].id):
                yield places[number]

    def head(self, at: int) -> int:
        """Return the place where the atom of a place starts."""
        return self._heads[bisect_right(self._heads, at) - 1]

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
