"""Readers of versions 1 and 2: blocks that are leaves of their own, and their switches.

    aili.compact.tx.v1   {"version": 1, "id", "startId", "endId", "summary", "topic"?}
    aili.compact.tx.v2   {"version": 2, "kind": "block", "id", "startId", "endId", "summary", "topic"?}
                         {"version": 2, "kind": "deactivate", "id", "reason": "gc" | "user"}
                         {"version": 2, "kind": "control", "action": "on" | "off" | "manual-on" | "manual-off"}

`startId` and `endId` are entries of the context, both inside. Laws: nothing writes these
any more; a legacy block is never a child, never comes back once its user opened it, and is
not shown if it was made behind restore-all;
what an old binary knows is `old_view`, for which every newer entry is a custom entry like
any other, and which therefore shows raw history where a v3 block stands.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from attrs import field, frozen

from kernel.projection.journal.schema import SchemaError, read
from kernel.projection.model import Block, Controls, Fault
from kernel.projection.replaying.ledger import Ledger
from kernel.sessions.pi_entries import Item, context_of

__all__ = [
    "LEGACY",
    "LegacyBlock",
    "LegacyControl",
    "LegacyDeactivate",
    "LegacyEntry",
    "apply",
    "old_view",
    "read_legacy",
]

V1: Final = "aili.compact.tx.v1"
V2: Final = "aili.compact.tx.v2"
LEGACY: Final = (V1, V2)


@frozen
class LegacyBlock:
    """A summary for the context entries from `start_id` to `end_id`."""

    id: str
    start_id: str
    end_id: str
    summary: str
    topic: str
    version: Literal[1, 2] = field(default=1, kw_only=True)


@frozen
class LegacyDeactivate:
    """A block switched off: by its age (gc), or by its user for good."""

    id: str
    reason: Literal["gc", "user"]


@frozen
class LegacyControl:
    """A switch."""

    action: Literal["on", "off", "manual-on", "manual-off"]


LegacyEntry = LegacyBlock | LegacyDeactivate | LegacyControl
_KINDS: Final[Mapping[str, type[LegacyEntry]]] = {
    "block": LegacyBlock,
    "deactivate": LegacyDeactivate,
    "control": LegacyControl,
}


def read_legacy(item: Item) -> LegacyEntry | Fault | None:
    """Read an entry of version 1 or 2; None for any other entry."""
    name = item.value.get("customType")
    if item.value.get("type") != "custom" or name not in LEGACY:
        return None
    version = LEGACY.index(str(name)) + 1
    data = item.value.get("data")
    try:
        return _read(data, version)
    except SchemaError as wrong:
        return Fault("legacy-schema", item.id, str(wrong))


def _read(data: Any, version: int) -> LegacyEntry:
    if not isinstance(data, Mapping):
        raise SchemaError("data", "an object")
    found = dict(data)
    if found.pop("version", None) != version or isinstance(data["version"], bool):
        raise SchemaError("data.version", str(version))
    kind = found.pop("kind", None) if version == 2 else "block"
    if not isinstance(kind, str) or kind not in _KINDS:
        raise SchemaError("data.kind", f"one of {', '.join(_KINDS)}")
    if kind == "block":
        found.setdefault("topic", "")
        found["version"] = version
    return read(_KINDS[kind], found, "data")


def apply(ledger: Ledger, entry: LegacyEntry, item: Item) -> str | None:
    """Bring a legacy entry into the books; the code of a fault where it does not fit."""
    return _ARMS[type(entry)](ledger, entry, item)


def _block(ledger: Ledger, entry: LegacyBlock, item: Item) -> str | None:
    scope = ledger.scope
    if entry.id in ledger.blocks or not entry.id:
        return "legacy-block-exists"
    first, last = scope.place.get(entry.start_id), scope.place.get(entry.end_id)
    if first is None or last is None or last < first:
        return "legacy-range"
    leaves = tuple(source.id for source in scope.items[first : last + 1])
    if not scope.whole(leaves):
        return "legacy-atom-parted"
    inner = {scope.owner[leaf] for leaf in leaves if leaf in scope.owner}
    if not _maximal(ledger, inner, set(leaves)):
        return "legacy-overlap"
    for name in inner:
        ledger.status[name] = "query-only"
    block = Block(
        entry.id,
        len(ledger.blocks),
        entry.version,
        1,
        restill=False,
        epoch=ledger.epoch,
        entry_id=item.id,
        tx_id=item.id,
        mode="range",
        topic=entry.topic,
        summary=entry.summary,
        source_ids=leaves,
        children=(),
        leaf_digest=scope.leaf_digest(leaves),
        turn=ledger.turn,
    )
    ledger.enter(block)
    if ledger.controls.restored:
        # No older binary's automatism folds again what its user restored.
        ledger.open([entry.id], item.id)
        ledger.status[entry.id] = "disabled"
    return None


def _maximal(ledger: Ledger, inner: set[str], leaves: set[str]) -> bool:
    """Tell whether a new leaf takes in only whole legacy leaves."""
    blocks = [ledger.blocks[name] for name in inner]
    return all(block.version != 3 and leaves.issuperset(block.source_ids) for block in blocks)


def _deactivate(ledger: Ledger, entry: LegacyDeactivate, item: Item) -> str | None:
    block = ledger.blocks.get(entry.id)
    if block is None or block.version == 3:
        return "legacy-unknown-block"
    if ledger.status[entry.id] == "active":
        ledger.open([entry.id], item.id)
        if entry.reason == "gc":
            ledger.status[entry.id] = "disabled"
            ledger.collected[entry.id] = item.id
    elif entry.reason == "user" and ledger.collected.pop(entry.id, None) is not None:
        # The user's word outlives the collection's: nothing repairs the block after it.
        ledger.status[entry.id] = "decompressed"
        ledger.opened[entry.id] = item.id
        ledger.changed()
    return None


def _control(ledger: Ledger, entry: LegacyControl, _: Item) -> str | None:
    now = ledger.controls
    enabled = entry.action == "on" if entry.action in ("on", "off") else now.enabled
    manual = now.manual if entry.action in ("on", "off") else entry.action == "manual-on"
    ledger.controls = Controls(enabled, manual, now.auto_cooling, now.cache_panel, now.restored)
    ledger.changed()
    return None


_ARMS: Final[Mapping[type, Callable[[Ledger, Any, Item], str | None]]] = {
    LegacyBlock: _block,
    LegacyDeactivate: _deactivate,
    LegacyControl: _control,
}


def old_view(path: Sequence[Item]) -> tuple[str, ...]:
    """Return what a binary of version 2 shows of a path: entry ids, and blocks by their id.

    It knows no epoch, no v3 and no repair: it lays its active blocks over Pi's context.
    """
    blocks: dict[str, LegacyBlock] = {}
    enabled = True
    for item in path:
        entry = read_legacy(item)
        if isinstance(entry, LegacyBlock):
            blocks[entry.id] = entry
        elif isinstance(entry, LegacyDeactivate):
            blocks.pop(entry.id, None)
        elif isinstance(entry, LegacyControl) and entry.action in ("on", "off"):
            enabled = entry.action == "on"
    shown = [item.id for item in context_of(path)]
    for block in blocks.values() if enabled else ():
        if block.start_id in shown and block.end_id in shown:
            first, last = shown.index(block.start_id), shown.index(block.end_id)
            if first <= last:
                shown[first : last + 1] = [block.id]
    return tuple(shown)
