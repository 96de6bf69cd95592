"""ccr-store: remember what pruning took out of view, so that it can be retrieved.

Laws: keyed by ref, raw text before any tag or cut; the first text stored under a ref
stays; a store is never changed in place.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.model import BLOCKED, CoreMessage, is_synthetic
from kernel.stages.base import Context, Stage, Turn
from kernel.state import CompressionState, MessageContentStore

__all__ = ["STAGE", "remember"]


def remember(
    store: MessageContentStore, removed: Sequence[CoreMessage], state: CompressionState
) -> MessageContentStore:
    """Return the store with the removed messages that have a ref and are not in it yet."""
    by_raw = state.message_refs.by_raw
    entries = store.entries
    fresh: dict[str, CoreMessage] = {}
    for message in removed:
        ref = by_raw.get(message.id)
        if (
            ref is not None
            and ref != BLOCKED
            and ref not in entries
            and ref not in fresh
            and not is_synthetic(message)
        ):
            fresh[ref] = message
    return MessageContentStore({**entries, **fresh}) if fresh else store


def _run(turn: Turn, context: Context) -> Turn:  # noqa: ARG001 - the shape of a stage
    store = remember(turn.store, turn.removed, turn.state)
    return turn if store is turn.store else evolve(turn, store=store)


STAGE = Stage("ccr-store", _run, sound=True)
