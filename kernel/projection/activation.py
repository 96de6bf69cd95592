"""Activation: what happens when a session starts, moves in its tree, or is forked.

    now = activate(read, append, config)      # or leaf=…, after a tree move

Snapshot of the branch, replay, repair where it is permitted, a fresh reading and replay,
validation; only then is anything published. Laws: a branch that moved in between is begun
anew, a bounded number of times; whatever fails is a bounded diagnostic and the exact raw
history; without `append` nothing is written and what repair would do is only said.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve, frozen

from kernel.projection.journal.evidence import encode_repair
from kernel.projection.journal.repair import batch, plan
from kernel.projection.log.branch import SessionTree
from kernel.projection.model import REPAIR, State
from kernel.projection.planning.facts import FactsMemory
from kernel.projection.replaying.reducer import replayed
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import Snapshot, raw_snapshot, take
from kernel.projection.view.checks import folds_worse
from kernel.sessions.lines import Diagnostic

__all__ = ["TRIES", "Append", "Read", "activate"]

#: How often a branch that moves is begun anew, and how many repairs one start may take.
TRIES: Final = 4
_REPAIRS: Final = 64
_WRITABLE: Final = 3

Read = Callable[[], SessionTree]
#: Appends an entry of a custom type under a leaf of a tree as it was read; returns its id,
#: None where the log has moved since.
Append = Callable[[SessionTree, str, str, Mapping[str, Any]], str | None]


@frozen
class _Moved:
    """The log is not as it was read."""


def activate(
    read: Read,
    append: Append | None,
    config: Config,
    *,
    leaf: str | None = None,
    memory: FactsMemory | None = None,
) -> Snapshot:
    """Return the snapshot to publish for a branch.

    Raises what `read` raises, and KeyError for a leaf that is not in the log.
    """
    for _ in range(TRIES):
        now = _attempt(read, append, config, leaf, memory)
        if isinstance(now, Snapshot):
            return now
    return raw_snapshot(read().branch(leaf), config, "branch-moved", f"{TRIES} times")


def _attempt(
    read: Read,
    append: Append | None,
    config: Config,
    leaf: str | None,
    memory: FactsMemory | None,
) -> Snapshot | _Moved:
    now = take(read(), leaf, config, memory=memory)
    try:
        for _ in range(_REPAIRS):
            made = batch(plan(now.branch), now.branch) if _may_repair(now) else None
            if made is None or now.leaf is None or append is None:
                break
            entry = append(now.tree, now.leaf, REPAIR, encode_repair(made))
            fresh = None if entry is None else read()
            if fresh is None or entry is None or not _is_next(fresh, entry, now):
                return _Moved()
            now = take(fresh, entry, config, memory=memory)
            if not {one.block_id for one in made.evidence} <= now.state.repaired:
                return raw_snapshot(now.branch, config, "repair-not-replayed")
        again = read()
        if not _is_same(again, now.tree):
            return _Moved()
        again.recall(now.tree)
        screen = None if now.cursor is None else now.cursor.ledger.screen
        return _validated(now, replayed(again.branch(now.leaf), screen).state())
    except Exception as error:  # noqa: BLE001 - whatever fails, the raw history is shown
        return raw_snapshot(now.branch, config, "activation-failed", type(error).__name__)


def _may_repair(now: Snapshot) -> bool:
    """Tell whether the branch may be written to by repair: on, sound, of version 3."""
    return now.enabled and now.state.fault is None and now.tree.version == _WRITABLE


def _is_next(fresh: SessionTree, entry: str, now: Snapshot) -> bool:
    """Tell whether a log has grown by one entry of ours and by nothing else."""
    item = fresh.by_id.get(entry)
    return item is not None and fresh.leaf == entry and item.parent == now.leaf


def _is_same(fresh: SessionTree, tree: SessionTree) -> bool:
    """Tell whether a log is as it was: nothing is ever taken from it, so counting will do."""
    return (fresh.leaf, len(fresh.entries)) == (tree.leaf, len(tree.entries))


def _validated(now: Snapshot, fresh: State) -> Snapshot:
    """Return a snapshot that may be published: itself, or the raw history."""
    if now.state.fault is not None or now.projection.fault is not None:
        return now  # which is the raw history, and says so
    if fresh != now.state:
        return raw_snapshot(now.branch, now.config, "replay-differs")
    if not now.projection.raw and folds_worse(now.projection, now.branch.sources):
        return raw_snapshot(now.branch, now.config, "view-refused")
    count = len(plan(now.branch).eligible) if _may_repair(now) else 0
    if not count:
        return now
    note = Diagnostic("REPAIR_PENDING", 0, f"{count} blocks of an older version may come back")
    return evolve(now, diagnostics=(*now.diagnostics, note))
