"""Where each id stands in a history and where each active block shows.

Law: built once a call, so that no lookup walks the history.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kernel.model import CompressionBlock, CoreMessage, is_summary, summary_id
from kernel.state import CompressionState, highest_ref

__all__ = ["CAPACITY", "Places", "nested_blocks"]

CAPACITY: Final = 99999


class Places:
    """Where each id stands and where each active block shows; built once a call."""

    __slots__ = ("_anchors", "capacity", "first", "messages", "refs", "summaries")

    def __init__(self, messages: Sequence[CoreMessage], state: CompressionState) -> None:
        self.messages: Sequence[CoreMessage] = messages
        self.first: dict[str, int] = {}
        self.summaries: dict[str, int] = {}
        for index, message in enumerate(messages):
            if is_summary(message):
                self.summaries.setdefault(message.id, index)
            self.first.setdefault(message.id, index)
        self.capacity: int = max(CAPACITY, highest_ref(state.message_refs))
        self.refs: Mapping[str, str] = state.message_refs.by_raw
        self._anchors: dict[str, tuple[int, int]] = {}

    def spots(self, block: CompressionBlock) -> tuple[int, int]:
        """Return where a block's summary stands and its earliest visible message, or -1."""
        known = self._anchors.get(block.block_id)
        if known is None:
            shown = self.summaries.get(summary_id(block.block_id), -1)
            first = self.first
            raws = [first[raw] for raw in block.effective_message_ids if raw in first]
            known = self._anchors[block.block_id] = (shown, min(raws, default=-1))
        return known

    def anchor(self, block: CompressionBlock) -> int:
        """Return a block's position: its summary, else its earliest message, else -1."""
        shown, earliest = self.spots(block)
        return shown if shown >= 0 else earliest


def nested_blocks(
    state: CompressionState, places: Places, start: int, end: int
) -> list[CompressionBlock]:
    """Return the active blocks that show, or begin, inside an inclusive span."""
    return [
        block
        for block in state.blocks
        if block.active and any(start <= spot <= end for spot in places.spots(block))
    ]
