"""A few indexed branches, the least used forgotten first, with the pure functions behind.

    indexes = Indexes(limit=4)
    now = indexes.snapshot(tree, leaf, config, path=file)    # the same as take(tree, leaf, config)
    indexes.source(tree, "m000017", path=file)

A branch that is known and has grown costs the entries it has grown by. Laws: a known branch
is one of the same session and file whose leaf is on the path, in a log that still has
everything the index read where it was; all else is read anew; an index that fails or
differs is dropped, and the answer is the pure one.
"""

from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from attrs import define

from kernel.projection.index.branch_index import BranchIndex
from kernel.projection.index.counters import Counters
from kernel.projection.index.oracle import differences, snapshot_of
from kernel.projection.log.branch import SessionTree
from kernel.projection.model import Block, Source
from kernel.projection.replaying.reducer import replay
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import Snapshot, take
from kernel.sessions.pi_entries import Item

__all__ = ["LIMIT", "Indexes"]

LIMIT: Final = 4
_Key = tuple[str, str, str | None]


@define
class _Known:
    """An index, and the log it has read: how many entries, the last of them, its fork's words."""

    index: BranchIndex
    tree: SessionTree
    snapshot: Snapshot | None = None
    wanted: tuple[str | None, Config] | None = None

    def proves(self, tree: SessionTree) -> bool:
        """Tell whether a log holds all that was read, in its place, and maybe more."""
        old = self.tree
        if tree is old:
            return True
        count = len(old.entries)
        if len(tree.entries) < count or tree.header != old.header:
            return False
        forked = (tree.inherited, tree.ancestors, tree.severed, tree.claimed)
        if forked != (old.inherited, old.ancestors, old.severed, old.claimed):
            return False
        at = self.index.leaf
        if at is not None and tree.by_id.get(at) != old.by_id.get(at):
            return False
        if not (old.begins(tree) or tree.entries[:count] == old.entries):
            return False
        # An id that is used again takes the place of the older entry, wherever that stands.
        return not any(item.id in old.by_id for item in tree.entries[count:])


class Indexes:
    """The indexes of the branches that were asked for last.

    Attributes:
        counters: What they did, in figures.
    """

    def __init__(self, limit: int = LIMIT, counters: Counters | None = None) -> None:
        """Keep so many branches at most."""
        self.counters: Counters = Counters() if counters is None else counters
        self._limit = limit
        self._known: OrderedDict[_Key, _Known] = OrderedDict()
        # Files whose index once differed from the pure functions: those alone are asked there.
        self._distrusted: set[tuple[str, str]] = set()

    def __len__(self) -> int:
        """Return how many branches are kept."""
        return len(self._known)

    def of(self, tree: SessionTree, leaf: str | None = None, *, path: str = "") -> BranchIndex:
        """Return the index of a branch: a known one, one that has grown, or a new one.

        Raises KeyError for a leaf that is not in the log.
        """
        return self._find(tree, tree.leaf if leaf is None else leaf, path).index

    def _find(self, tree: SessionTree, end: str | None, path: str) -> _Known:
        found = self._grown(tree, end, path)
        if found is None:
            self.counters.misses += 1
            with self.counters.whole():
                index = BranchIndex(tree, end, path=path, counters=self.counters)
            found = _Known(index, tree)
            self._known[(tree.session_id, path, end)] = found
        else:
            self.counters.hits += 1
        while len(self._known) > self._limit:
            self._known.popitem(last=False)
            self.counters.evictions += 1
        return found

    def _grown(self, tree: SessionTree, end: str | None, path: str) -> _Known | None:
        """Return a known branch that ends here or has grown to here."""
        new = list(self._since(tree, end, path)) if self._known else []
        at = new[-1].parent if new else end
        known = self._known.pop((tree.session_id, path, at), None)
        if known is None:
            return None
        # A log that is read anew has new objects for all it held: everything must still prove.
        if not known.index.healthy or not known.proves(tree):
            self.counters.mismatches += 1
            return None
        known.index.learn(tree.entries[len(known.tree.entries) :])
        for item in reversed(new):
            if not known.index.append(item, inherited=bool(tree.inherited.get(item.id))):
                return None
            known.snapshot = None
        known.tree = tree
        self._known[(tree.session_id, path, end)] = known
        return known

    def _since(self, tree: SessionTree, end: str | None, path: str) -> Iterator[Item]:
        """Yield the entries from a leaf back to the leaf of a known branch, or to the root."""
        at, left = end, len(tree.by_id)
        while (tree.session_id, path, at) not in self._known and at is not None and left:
            item = tree.by_id.get(at)
            if item is None:
                return
            self.counters.walked += 1
            yield item
            at, left = item.parent, left - 1

    def snapshot(
        self,
        tree: SessionTree,
        leaf: str | None = None,
        config: Config | None = None,
        *,
        path: str = "",
    ) -> Snapshot:
        """Return the snapshot of a branch, equal to the pure one.

        Raises KeyError for a leaf that is not in the log.
        """
        settings = Config() if config is None else config
        if settings.index.enabled:
            self._limit = settings.index.snapshot_lru
            found = self._known_snapshot(tree, leaf, settings, path)
            if found is not None:
                return found
        return take(tree, leaf, settings)

    def _known_snapshot(
        self, tree: SessionTree, leaf: str | None, config: Config, path: str
    ) -> Snapshot | None:
        """Return a snapshot by the index, None where the pure functions are to be asked."""
        end = tree.leaf if leaf is None else leaf
        if end is not None and end not in tree.by_id:
            return None
        if (tree.session_id, path) in self._distrusted:
            self.counters.fallbacks += 1
            return None
        try:
            known = self._find(tree, end, path)
            old = known.snapshot
            if old is None or known.wanted != (leaf, config) or old.tree is not tree:
                known.snapshot = snapshot_of(known.index, tree, leaf, config)
                known.wanted = (leaf, config)
        except Exception:  # noqa: BLE001 - the index is nothing a session hangs on
            self._drop(tree, end, path)
            return None
        return known.snapshot

    def _drop(self, tree: SessionTree, end: str | None, path: str) -> None:
        self.counters.fallbacks += 1
        known = self._known.pop((tree.session_id, path, end), None)
        if known is not None:
            known.index.doubt("failed")

    def source(
        self, tree: SessionTree, ref: str, leaf: str | None = None, *, path: str = ""
    ) -> Source | None:
        """Return the source a ref names on a branch, by the index or without it."""
        index = self._asked(tree, leaf, path)
        if index is not None:
            return index.source(index.scope, ref)
        return next((one for one in tree.branch(leaf).sources if one.ref == ref), None)

    def block(
        self, tree: SessionTree, ref: str, leaf: str | None = None, *, path: str = ""
    ) -> Block | None:
        """Return the block a ref names on a branch, by the index or without it."""
        index = self._asked(tree, leaf, path)
        if index is not None:
            return index.block(index.scope, ref)
        blocks = replay(tree.branch(leaf)).blocks.values()
        return next((one for one in blocks if one.ref == ref), None)

    def _asked(self, tree: SessionTree, leaf: str | None, path: str) -> BranchIndex | None:
        """Return the index to ask, None where it failed; an unknown leaf raises."""
        end = tree.leaf if leaf is None else leaf
        if end is not None and end not in tree.by_id:
            raise KeyError(f"no entry has the id {end!r}: name the id of an entry of this log")
        if (tree.session_id, path) in self._distrusted:
            self.counters.fallbacks += 1
            return None
        try:
            index = self._find(tree, end, path).index
        except Exception:  # noqa: BLE001 - the index is nothing a session hangs on
            self._drop(tree, end, path)
            return None
        return index if index.healthy else None

    def audit(
        self,
        tree: SessionTree,
        leaf: str | None = None,
        config: Config | None = None,
        *,
        path: str = "",
    ) -> tuple[str, ...]:
        """Compare an index with the pure functions; one that differs is unhealthy from now on."""
        index = self.of(tree, leaf, path=path)
        found = differences(index, tree, config)
        if found:
            self.counters.mismatches += 1
            index.doubt(f"differs-{found[0]}")
            self._distrusted.add((tree.session_id, path))
        return found
