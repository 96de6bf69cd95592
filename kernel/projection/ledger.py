"""The books of a replay: what the entries so far have made of blocks and switches.

Laws: blocks are kept in creation order; a covered block has one parent, and the top of its
line is active; a block that was switched off has none; `Scope.owner` names the active block of every
covered source, so that active blocks cannot overlap; `frozen` gives the same State until
something changes.
"""

from collections.abc import Iterable

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
from kernel.projection.scope import Scope, kept_by
from kernel.sessions.pi_entries import Item

__all__ = ["Ledger"]


class Ledger:
    """The mutable state of one replay."""

    __slots__ = (
        "_state", "at", "blocks", "collected", "controls", "cooled", "digests", "epoch", "fault", "opened",
        "parent", "path", "repaired", "scope", "seen", "status", "transactions", "turn",
    )  # fmt: skip

    def __init__(self, digests: dict[str, str]) -> None:
        """Open empty books; `digests` remembers the digests of sources by entry id."""
        self.digests = digests
        self.epoch = ROOT_EPOCH
        self.scope = Scope(digests)
        self.path: list[Item] = []
        self.at: dict[str, int] = {}
        self.blocks: dict[str, Block] = {}
        self.status: dict[str, Status] = {}
        self.parent: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.cooled: dict[str, CooledResult] = {}
        # Legacy blocks a garbage collection switched off, and the entry that says so.
        self.collected: dict[str, str] = {}
        self.controls = Controls()
        self.repaired: set[str] = set()
        self.transactions: list[str] = []
        self.seen: set[str] = set()
        self.turn = 0
        self.fault: Fault | None = None
        self._state: State | None = None

    def copy(self) -> "Ledger":
        """Return books that are kept on their own from here."""
        twin = Ledger(self.digests)
        for name in self.__slots__:
            value = getattr(self, name)
            copied = isinstance(value, dict | list | set | Scope) and name != "digests"
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
        for name in closed:
            for child in self.blocks[name].children:
                if self.status[child] == "covered":
                    self.status[child] = "active"
                    self.parent.pop(child, None)
                    self.scope.owner.update(dict.fromkeys(self.blocks[child].source_ids, child))
        self.changed()

    def wake(self, name: str) -> None:
        """Show a legacy block again that a garbage collection had switched off."""
        self.repaired.add(name)
        self.show(self.blocks[name])

    def restore_all(self, by: str) -> None:
        """Switch off every block of the epoch and every stub, above every automatism."""
        if self.fault is not None:
            self.retire()
        for name, what in self.status.items():
            if what != "query-only":
                self.status[name] = "disabled"
                self.opened.setdefault(name, by)
        self.scope.owner = {}
        self.parent, self.cooled = {}, {}
        self.collected = {}
        self.controls = evolve(self.controls, auto_cooling=False, restored=True)
        self.changed()
