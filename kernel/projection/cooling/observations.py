"""Observations: how many settled answers had the exact result before them.

    observed = observations(branch)     results of the context, by entry id: a count each

An observation is a later settled assistant message (its request ended well, neither in
error nor aborted) while the view of that time held the result raw: within the context, under no block, not
cooled, not edited since. Laws: what the log does not prove is not counted; an edit of the
result starts its count anew; one pass over the path, a journal entry costs what it hides.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kernel.projection.log.branch import Branch
from kernel.projection.log.usage import is_settled
from kernel.projection.model import State
from kernel.projection.replaying.reducer import Replay
from kernel.sessions.pi_entries import Item, context_of

__all__ = ["hidden_by", "observations"]

_JOURNAL: Final = "aili.compact."


def hidden_by(state: State) -> frozenset[str]:
    """Return the entries a state does not show raw: covered or cooled ones."""
    if state.fault is not None or not state.controls.enabled:
        return frozenset()
    covered = {entry for block in state.active() for entry in block.source_ids}
    return frozenset(covered.union(state.cooled))


class _Watch:
    """The counts while a path is walked.

    `known` are all results so far, `held` those of the context, in order; `hidden` and
    `dropped` those the state or an edit takes out of it; `since` the turn at which a result
    came into view.
    """

    def __init__(self) -> None:
        self.turns = 0
        self.known: dict[str, None] = {}
        self.held: dict[str, None] = {}
        self.hidden: frozenset[str] = frozenset()
        self.dropped: set[str] = set()
        self.since: dict[str, int] = {}
        self.counts: dict[str, int] = {}

    def close(self, entries: Iterable[str]) -> None:
        """Count what the given results saw until now; they have left the view."""
        for entry in entries:
            start = self.since.pop(entry, None)
            if start is not None:
                self.counts[entry] = self.counts.get(entry, 0) + self.turns - start

    def settle(self) -> None:
        """Bring the view in line with what is held, hidden and dropped."""
        visible = [e for e in self.held if e not in self.hidden and e not in self.dropped]
        self.close(set(self.since).difference(visible))
        for entry in visible:
            self.since.setdefault(entry, self.turns)

    def message(self, item: Item) -> None:
        message = item.value.get("message")
        if is_settled(item):
            self.turns += 1
        elif isinstance(message, Mapping) and message.get("role") == "toolResult":
            self.known[item.id] = self.held[item.id] = None
            self.since[item.id] = self.turns

    def edit(self, entry: str, replacement: Any) -> None:
        if isinstance(replacement, Mapping):
            self.dropped.discard(entry)
        else:
            self.dropped.add(entry)
        self.close((entry,))
        self.counts[entry] = 0
        self.settle()


def observations(branch: Branch) -> Mapping[str, int]:
    """Return for each tool result of the branch's context how many answers observed it."""
    watch = _Watch()
    cursor = Replay(branch.tree)
    for at, item in enumerate(branch.path):
        cursor.step(item)
        value = item.value
        kind = value.get("type")
        if kind == "message":
            watch.message(item)
        elif kind == "context_edit" and isinstance(value.get("targetId"), str):
            # An edit also brings back what a stub or a block stood for.
            watch.hidden = hidden_by(cursor.state())
            watch.edit(value["targetId"], value.get("replacement"))
        elif kind == "compaction":
            kept = {entry.id for entry in context_of(branch.path[: at + 1])}
            watch.held = {entry: None for entry in watch.known if entry in kept}
            watch.hidden = hidden_by(cursor.state())
            watch.settle()
        elif kind == "custom" and str(value.get("customType")).startswith(_JOURNAL):
            watch.hidden = hidden_by(cursor.state())
            watch.settle()
    watch.close(list(watch.since))
    return {entry: watch.counts.get(entry, 0) for entry in watch.held}
