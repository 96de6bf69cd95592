"""The projection: what the provider sees of a branch, as a state has it.

    shown = project(branch, state)
    shown.items        RawItem, BlockItem or CooledItem, in order
    shown.messages     the Pi messages of a request
    shown.history      the same read by the kernel's wire
    shown.settled      core messages every wire may be written from: encode(settled, history, …)

Laws: only active blocks are shown, each once, where its first visible leaf stood; a cooled
result loses its body and nothing else; with AILI off, behind a fault and where nothing is
folded, the messages are the very objects the branch holds; a view that breaks a law the raw
history keeps is not shown: the raw history is.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from attrs import field, frozen

from kernel.model import CoreMessage, as_tuple
from kernel.pairs import in_flight, pair, settle
from kernel.projection.log.branch import Branch
from kernel.projection.model import Block, CooledResult, Fault, Source, State
from kernel.projection.view.recap import RECAP, recap_message, stub_message
from kernel.thoughts import attached
from kernel.validity import check
from kernel.wire.history import History
from kernel.wire.pi import decode

__all__ = ["RECAP", "BlockItem", "CooledItem", "Item", "Projection", "RawItem", "project"]


@frozen
class RawItem:
    """A source that stands as itself."""

    source: Source

    @property
    def name(self) -> str:
        """Return the id of the entry."""
        return self.source.entry_id


@frozen
class BlockItem:
    """A block in place of its leaves; `sources` are those of them the branch still holds."""

    block: Block
    sources: tuple[Source, ...] = field(converter=as_tuple)

    @property
    def name(self) -> str:
        """Return the id of the block."""
        return self.block.block_id


@frozen
class CooledItem:
    """A tool result whose body a stub replaces."""

    source: Source
    result: CooledResult

    @property
    def name(self) -> str:
        """Return the id of the entry."""
        return self.source.entry_id


Item = RawItem | BlockItem | CooledItem


@frozen
class Projection:
    """A view: items and their messages, one for one.

    `raw` tells that the view is the history as it stands; `fault` why it had to be.

    Attributes:
        items: What each message is.
        messages: What a provider is sent.
    """

    items: tuple[Item, ...] = field(converter=as_tuple)
    messages: tuple[Mapping[str, Any], ...] = field(converter=as_tuple, repr=False)
    raw: bool = True
    fault: Fault | None = None

    @cached_property
    def history(self) -> History:
        """Return the view as core messages, under the ids of its items."""
        names = [item.name for item in self.items]
        return decode({"messages": list(self.messages)}, names.__getitem__)

    @cached_property
    def settled(self) -> tuple[CoreMessage, ...]:
        """Return the view without calls and results that lost their other half.

        An aborted turn of the raw history leaves such calls; no provider takes them.
        """
        found = self.history.messages
        partner = pair(found)
        kept = settle(found, range(len(found)), partner, in_flight(found, partner)).kept
        return tuple(found[index] for index in attached(found, kept, set()))


def project(branch: Branch, state: State, *, enabled: bool = True) -> Projection:
    """Return the view of a branch; `enabled` is the settings' word on AILI."""
    raw = [source.message for source in branch.sources]
    if state.fault is not None or not (enabled and state.controls.enabled):
        return _untouched(branch, raw, state.fault)
    items = _items(branch.sources, _covers(state), state.cooled)
    if all(isinstance(item, RawItem) for item in items):
        return _untouched(branch, raw, None)
    refs = {name: block.ref for name, block in state.blocks.items()}
    messages = [_message(item, refs) for item in items]
    broken = _broken(messages)
    if broken and broken - _broken(raw):
        at = state.transactions[-1] if state.transactions else ""
        refused = Fault("view-refused", at, "the view would break a law of the providers")
        return _untouched(branch, raw, refused)
    return Projection(items, messages, raw=False)


def _untouched(
    branch: Branch, messages: Sequence[Mapping[str, Any]], fault: Fault | None
) -> Projection:
    return Projection(map(RawItem, branch.sources), messages, raw=True, fault=fault)


def _covers(state: State) -> dict[str, Block]:
    return {leaf: block for block in state.active() for leaf in block.source_ids}


def _items(
    sources: Iterable[Source], covers: Mapping[str, Block], cooled: Mapping[str, CooledResult]
) -> list[Item]:
    items: list[Item] = []
    hidden: dict[str, list[Source]] = {}
    for source in sources:
        block = covers.get(source.entry_id)
        if block is None:
            result = cooled.get(source.entry_id)
            items.append(RawItem(source) if result is None else CooledItem(source, result))
        elif block.block_id in hidden:
            hidden[block.block_id].append(source)
        else:
            hidden[block.block_id] = [source]
            items.append(BlockItem(block, ()))
    return [
        BlockItem(item.block, hidden[item.name]) if isinstance(item, BlockItem) else item
        for item in items
    ]


def _message(item: Item, refs: Mapping[str, str]) -> Mapping[str, Any]:
    if isinstance(item, BlockItem):
        return recap_message(item.block, [refs[child] for child in item.block.children])
    if isinstance(item, CooledItem):
        return stub_message(item.source, item.result)
    return item.source.message


_SHAPE: Final = "pi"


def _broken(messages: Sequence[Mapping[str, Any]]) -> Counter[str]:
    return Counter(wrong.code for wrong in check(_SHAPE, messages))
