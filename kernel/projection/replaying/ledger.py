"""The books of a replay: what the entries so far have made of blocks and switches.

Laws: blocks are kept in creation order; a covered block has one parent, and the top of its
line is active; a block that was switched off has none; `Scope.owner` names the active block of every
covered source, so that active blocks cannot overlap; an edit of a source opens, for good,
every block above it and drops its stub; `frozen` gives the same State until something changes.
"""

from collections.abc import Iterable
from itertools import islice
from typing import Final

from kernel.model import evolve
from kernel.projection.model import (
    ROOT_EPOCH,
    Block,
    Controls,
    CooledResult,
    Fault,
    State,
    Status,
)
from kernel.projection.replaying.hard_limits import Screen
from kernel.projection.replaying.scope import Scope
from kernel.projection.replaying.speaking import kept_by
from kernel.sessions.pi_entries import Item

__all__ = ["Ledger"]

#: What an edit opens: every block that is shown, or could be again.
_EDITABLE: Final = ("active", "covered", "decompressed", "disabled")


class Ledger:
    """The mutable state of one replay."""

    __slots__ = (
        "_holders", "_noted", "_state", "at", "blocks", "collected", "controls", "cooled", "digests",
        "epoch", "fault", "opened", "parent", "path", "repaired", "scope", "screen", "seen", "since", "status",
        "transactions", "turn", "turns",
    )  # fmt: skip
    #: What a copy shares, and what it makes anew when it needs it.
    _OWN: Final = ("digests", "screen", "_holders", "_noted")

    def __init__(self, digests: dict[str, str], screen: Screen) -> None:
        """Open empty books; `digests` and `screen` remember what was read of sources."""
        self.digests: dict[str, str] = digests
        self.screen: Screen = screen
        self.epoch: str = ROOT_EPOCH
        self.scope: Scope = Scope(digests)
        self.path: list[Item] = []
        self.at: dict[str, int] = {}
        self.blocks: dict[str, Block] = {}
        self.status: dict[str, Status] = {}
        self.parent: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.cooled: dict[str, CooledResult] = {}
        # Legacy blocks a garbage collection switched off, and the entry that says so.
        self.collected: dict[str, str] = {}
        self.controls: Controls = Controls()
        self.repaired: set[str] = set()
        self.transactions: list[str] = []
        self.seen: set[str] = set()
        self.turn: int = 0
        # The settled answers before each entry of the path, and before the last edit of one.
        self.turns: list[int] = []
        self.since: dict[str, int] = {}
        # Blocks by their leaves, as far as they are noted: read only where an edit asks.
        self._holders: dict[str, list[str]] = {}
        self._noted = 0
        self.fault: Fault | None = None
        self._state: State | None = None

    def copy(self) -> "Ledger":
        """Return books that are kept on their own from here."""
        twin = Ledger(self.digests, self.screen)
        for name in self.__slots__:
            value = getattr(self, name)
            if name not in self._OWN:
                copied = isinstance(value, dict | list | set | Scope)
                setattr(twin, name, value.copy() if copied else value)
        return twin

    def changed(self) -> None:
        """Forget the state that was given out."""
        self._state = None

    def frozen(self) -> State:
        """Return the state of the books."""
        if self._state is None:
            self._state = State(
                self.epoch,
                dict(self.blocks),
                dict(self.status),
                dict(self.parent),
                dict(self.opened),
                dict(self.cooled),
                self.controls,
                frozenset(self.repaired),
                self.transactions,
                self.fault,
            )
        return self._state

    def open_epoch(self, compaction: Item) -> None:
        """Start the epoch of a compaction: what was is for queries only."""
        self.epoch = compaction.id
        self.scope = Scope(self.digests)
        self.scope.add(compaction)
        for item in kept_by(compaction, self.path, self.at):
            self.scope.add(item)
        self.controls = evolve(self.controls, restored=False)
        self.retire()

    def retire(self) -> None:
        """Make every block query-only and drop what stood on blocks; a fault is left behind."""
        self.status = dict.fromkeys(self.blocks, "query-only")
        self.scope.owner = {}
        self.parent, self.opened, self.cooled, self.collected = {}, {}, {}, {}
        self.fault = None
        self.changed()

    def enter(self, block: Block) -> None:
        """Write down a new block and show it."""
        self.blocks[block.block_id] = block
        self.show(block)

    def show(self, block: Block) -> None:
        """Make a block active and cover its children: one step, nothing between."""
        name = block.block_id
        self.status[name] = "active"
        self.parent.pop(name, None)
        self.opened.pop(name, None)
        self.collected.pop(name, None)
        self.scope.owner.update(dict.fromkeys(block.source_ids, name))
        self._cover(block)
        self.changed()

    def _cover(self, block: Block) -> None:
        above = [block]
        while above:
            upper = above.pop()
            for name in upper.children:
                self.status[name] = "covered"
                self.parent[name] = upper.block_id
                self.opened.pop(name, None)
                above.append(self.blocks[name])

    def open(self, names: Iterable[str], by: str) -> None:
        """Switch blocks off, parents before children; children left out come back active."""
        closed = tuple(names)
        for name in closed:
            self.status[name] = "decompressed"
            self.opened[name] = by
            self.parent.pop(name, None)
            for source in self.blocks[name].source_ids:
                self.scope.owner.pop(source, None)
        self._uncover(closed)
        self.changed()

    def take(self, item: Item) -> None:
        """Write an entry down behind the path."""
        self.at[item.id] = len(self.path)
        self.path.append(item)
        self.turns.append(self.turn)

    def answers_since(self, entry_id: str) -> int:
        """Return how many settled answers came since an entry, or its last edit, at most."""
        return self.turn - self.since.get(entry_id, self.turns[self.at[entry_id]])

    def edit(self, source: str, by: str) -> None:
        """Hear of a context edit: no summary or stub speaks for what it changed.

        The blocks above the source are opened, each for good; those beside it, which an
        opened one covered, are shown again.
        """
        self.since[source] = self.turn
        if self.cooled.pop(source, None) is not None:
            self.changed()
        above = [name for name in self._above(source) if self.status[name] in _EDITABLE]
        for name in above:
            self.status[name] = "edited"
            self.opened[name] = by
            self.parent.pop(name, None)
            self.collected.pop(name, None)
            for leaf in self.blocks[name].source_ids:
                if self.scope.owner.get(leaf) == name:
                    del self.scope.owner[leaf]
        self._uncover(above)
        if above:
            self.changed()

    def _above(self, source: str) -> list[str]:
        """Return the blocks that hold a source, parents before children."""
        if self._noted < len(self.blocks):
            for block in islice(self.blocks.values(), self._noted, None):
                for leaf in block.source_ids:
                    self._holders.setdefault(leaf, []).append(block.block_id)
            self._noted = len(self.blocks)
        return self._holders.get(source, [])[::-1]

    def _uncover(self, opened: Iterable[str]) -> None:
        """Show the covered children of blocks that were opened."""
        for name in opened:
            for child in self.blocks[name].children:
                if self.status[child] == "covered":
                    self.status[child] = "active"
                    self.parent.pop(child, None)
                    self.scope.owner.update(dict.fromkeys(self.blocks[child].source_ids, child))

    def wake(self, name: str) -> None:
        """Show a legacy block again that a garbage collection had switched off."""
        self.repaired.add(name)
        self.show(self.blocks[name])

    def restore_all(self, by: str) -> None:
        """Switch off every block of the epoch and every stub, above every automatism."""
        if self.fault is not None:
            self.retire()
        for name, what in self.status.items():
            if what not in ("query-only", "edited"):
                self.status[name] = "disabled"
                self.opened.setdefault(name, by)
        self.scope.owner = {}
        self.parent, self.cooled = {}, {}
        self.collected = {}
        self.controls = evolve(self.controls, auto_cooling=False, restored=True)
        self.changed()
