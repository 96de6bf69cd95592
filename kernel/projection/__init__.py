"""The projection: reversible compaction over the append-only log of a Pi session.

    tree = load(Path("session.jsonl"))            # or read_tree(lines), which touches no file
    now = take(tree, None, Config())              # one branch, and all that follows from it
    now.projection.messages                       # what a provider is sent
    made = create(now, "range", ("m000002", "m000031"), topic=…, summary=…, origin="user")
    append(path, now.leaf, TRANSACTION, encode(made), expected_leaf=tree.leaf, now=…)
    before_compact(now, event)                    # a whole checkpoint, or None

The law: the log is the only source of truth and no line of it is ever changed; a fault ends
in the exact raw history, never in less; what is wrong with content is a value. Names here
are imported when they are asked for, so that whoever takes one module pays for one.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kernel.projection.activation import activate
    from kernel.projection.cooling.planning import automatic, prune, sweep
    from kernel.projection.index import BranchIndex, Indexes
    from kernel.projection.journal.codec import decode, encode
    from kernel.projection.lifecycle.controls import control, restore_all
    from kernel.projection.lifecycle.creating import create
    from kernel.projection.lifecycle.opening import decompress, recompress
    from kernel.projection.lifecycle.promoting import promote
    from kernel.projection.lifecycle.refusal import Refusal
    from kernel.projection.log.branch import Branch, SessionTree, read_tree
    from kernel.projection.log.storage import (
        LeafMovedError,
        LogLockedError,
        ReadOnlyLogError,
        append,
        appender,
        load,
    )
    from kernel.projection.model import REPAIR, TRANSACTION, Fault, State, Transaction
    from kernel.projection.planning.catalog import Catalog
    from kernel.projection.provider.suffix import suffix_of, with_suffix
    from kernel.projection.recovery.checkpoint import CompactEvent, CompactionResult, before_compact
    from kernel.projection.recovery.coordinator import CheckpointCoordinator
    from kernel.projection.replaying.reducer import replay
    from kernel.projection.settings.config import Config
    from kernel.projection.snapshot import Snapshot, take
    from kernel.projection.surfaces import SURFACES, Answer, Call
    from kernel.projection.view.projector import Projection, project

__all__ = [
    "REPAIR",
    "SURFACES",
    "TRANSACTION",
    "Answer",
    "Branch",
    "BranchIndex",
    "Call",
    "Catalog",
    "CheckpointCoordinator",
    "CompactEvent",
    "CompactionResult",
    "Config",
    "Fault",
    "Indexes",
    "LeafMovedError",
    "LogLockedError",
    "Projection",
    "ReadOnlyLogError",
    "Refusal",
    "SessionTree",
    "Snapshot",
    "State",
    "Transaction",
    "activate",
    "append",
    "appender",
    "automatic",
    "before_compact",
    "control",
    "create",
    "decode",
    "decompress",
    "encode",
    "load",
    "project",
    "promote",
    "prune",
    "read_tree",
    "recompress",
    "replay",
    "restore_all",
    "suffix_of",
    "sweep",
    "take",
    "with_suffix",
]

#: The module of every public name.
_PLACES: Final = {
    name: module
    for module, names in {
        "activation": "activate",
        "log.branch": "Branch SessionTree read_tree",
        "planning.catalog": "Catalog",
        "recovery.checkpoint": "CompactEvent CompactionResult before_compact",
        "settings.config": "Config",
        "lifecycle.controls": "control restore_all",
        "cooling.planning": "automatic prune sweep",
        "recovery.coordinator": "CheckpointCoordinator",
        "lifecycle.creating": "create",
        "index": "BranchIndex Indexes",
        "journal.codec": "decode encode",
        "model": "REPAIR TRANSACTION Fault State Transaction",
        "lifecycle.opening": "decompress recompress",
        "view.projector": "Projection project",
        "lifecycle.promoting": "promote",
        "replaying.reducer": "replay",
        "lifecycle.refusal": "Refusal",
        "snapshot": "Snapshot take",
        "log.storage": "LeafMovedError LogLockedError ReadOnlyLogError append appender load",
        "provider.suffix": "suffix_of with_suffix",
        "surfaces": "SURFACES Answer Call",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    """Import a public name's module and return what it holds under that name."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{place}"), name)
    return value


def __dir__() -> list[str]:
    """Return the public names, imported or not."""
    return sorted({*globals(), *__all__})
