"""ccr-store: remember what pruning took out of view, so that it can be retrieved.

Laws: keyed by ref, raw text before any tag or cut; the first text stored under a ref
stays; a store is never changed in place.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.model import BLOCKED, CoreMessage, is_synthetic
from kernel.stages.base import Context, Stage, Turn
from kernel.state import CompressionState, MessageContentStore
from kernel.visitor import Visitor, walk

__all__ = ["STAGE", "remember"]


class _Collector(Visitor):
    """Collects messages that have a ref and are not in the store yet."""

    def __init__(self, store: MessageContentStore, state: CompressionState) -> None:
        self._entries, self._by_raw = store.entries, state.message_refs.by_raw
        self.fresh: dict[str, CoreMessage] = {}

    def visit(self, message: CoreMessage) -> CoreMessage:
        """Take a message, as it is."""
        ref = self._by_raw.get(message.id)
        known = ref is None or ref == BLOCKED or ref in self._entries or ref in self.fresh
        if ref is not None and not known and not is_synthetic(message):
            self.fresh[ref] = message
        return message


def remember(
    store: MessageContentStore, removed: Sequence[CoreMessage], state: CompressionState
) -> MessageContentStore:
    """Return the store with the removed messages that have a ref and are not in it yet."""
    collector = _Collector(store, state)
    walk(removed, collector)
    if not collector.fresh:
        return store
    return MessageContentStore({**store.entries, **collector.fresh})


def _run(turn: Turn, context: Context) -> Turn:  # noqa: ARG001 - the shape of a stage
    store = remember(turn.store, turn.removed, turn.state)
    return turn if store is turn.store else evolve(turn, store=store)


STAGE = Stage("ccr-store", _run, sound=True)
