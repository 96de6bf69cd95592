"""Replay: the state of a branch from its entries alone.

    state = replay(branch)            the whole branch
    cursor = Replay(branch.tree)      the same, entry by entry
    for item in branch.path:
        cursor.step(item)             root first; work of the entry's own size
    cursor.state()                    the same object until a step changes it
    cursor.copy()                     an independent cursor at the same place
    cursor.tree = newer               the file as it is read now, before stepping on

A step of a compaction costs what the compaction keeps, a step of a journal entry what it
covers, every other step is constant; a state costs its blocks, once for each change.

Laws: replay is deterministic and stores nothing; every prefix of a journal replays; a
transaction is verified whole and applied whole, or it is a fault and changes nothing; a
transaction that stands twice on a path counts once; while a fault stands, only restore-all
and a new epoch are heard; a context edit of a covered source opens its blocks, since no
summary may speak over what its user changed.
"""

from collections.abc import Iterable
from typing import Final

from kernel.projection.journal.codec import decode
from kernel.projection.journal.evidence import Repair, decode_repair
from kernel.projection.journal.evidence import apply as apply_repair
from kernel.projection.journal.legacy import LEGACY, read_legacy
from kernel.projection.journal.legacy import apply as apply_legacy
from kernel.projection.log.branch import Branch, SessionTree
from kernel.projection.log.usage import is_settled
from kernel.projection.model import (
    REPAIR,
    TRANSACTION,
    Control,
    Fault,
    State,
    Transaction,
)
from kernel.projection.replaying.arms import apply
from kernel.projection.replaying.hard_limits import Screen
from kernel.projection.replaying.ledger import Ledger
from kernel.projection.replaying.scope import Scope
from kernel.sessions.pi_entries import Item

__all__ = ["Replay", "replay", "replayed"]

#: Custom types that are ours in every version, this one's and later ones'.
_FAMILIES: Final = ("aili.compact.tx.", "aili.compact.repair.")


class Replay:
    """A cursor over the entries of one branch, root first."""

    __slots__ = ("ledger", "tree")

    def __init__(self, tree: SessionTree, screen: Screen | None = None) -> None:
        """Start before the first entry of a path of this tree; a `screen` outlives the tree."""
        self.tree: SessionTree = tree
        self.ledger: Ledger = Ledger(tree.digests, tree.screen if screen is None else screen)

    def copy(self) -> "Replay":
        """Return a cursor that goes its own way from here."""
        twin = Replay(self.tree, self.ledger.screen)
        twin.ledger = self.ledger.copy()
        return twin

    def state(self) -> State:
        """Return the state after the entries so far."""
        return self.ledger.frozen()

    @property
    def scope(self) -> Scope:
        """Return the context of the epoch so far."""
        return self.ledger.scope

    def step(self, item: Item) -> None:
        """Take the next entry of the path."""
        ledger = self.ledger
        kind = item.value.get("type")
        if kind == "custom":
            self._custom(item)
        elif kind == "compaction":
            ledger.open_epoch(item)
        else:
            edited = ledger.scope.add(item)
            if edited is not None and ledger.fault is None:
                ledger.edit(edited, item.id)
            ledger.turn += is_settled(item)
        ledger.take(item)

    def _custom(self, item: Item) -> None:
        name = item.value.get("customType")
        if not isinstance(name, str) or not name.startswith(_FAMILIES):
            return
        if name == TRANSACTION:
            self._transaction(item)
        elif self.ledger.fault is not None:
            return
        elif name == REPAIR:
            self._repair(item)
        elif name in LEGACY:
            entry = read_legacy(item)
            if isinstance(entry, Fault) or entry is None:
                self._fault(entry or Fault("legacy-schema", item.id, "at data: expected an entry"))
            else:
                self._settle(item, apply_legacy(self.ledger, entry, item))
        else:
            at = f"at customType: expected {TRANSACTION} or {REPAIR}"
            self._fault(Fault("journal-version", item.id, at))

    def _transaction(self, item: Item) -> None:
        ledger = self.ledger
        made = decode(item.value.get("data"), item.id)
        if isinstance(made, Fault):
            self._fault(made)
            return
        # The id is the digest of the content: an equal id is an equal transaction.
        if made.tx_id in ledger.seen:
            return
        ledger.seen.add(made.tx_id)
        if ledger.fault is not None and made.payload != Control("restore-all"):
            return
        code = self._misplaced(made, item) or apply(ledger, made, item)
        if code is None:
            ledger.transactions.append(made.tx_id)
            ledger.changed()
        self._settle(item, code)

    def _repair(self, item: Item) -> None:
        made = decode_repair(item.value.get("data"), item.id)
        if isinstance(made, Fault):
            self._fault(made)
            return
        if made.repair_id in self.ledger.seen:
            return
        self.ledger.seen.add(made.repair_id)
        code = self._misplaced(made, item) or apply_repair(self.ledger, made)
        if code is None:
            self.ledger.transactions.append(made.repair_id)
            self.ledger.changed()
        self._settle(item, code)

    def _misplaced(self, made: Transaction | Repair, item: Item) -> str | None:
        """Tell why an entry does not belong where it stands."""
        tree = self.tree
        if not tree.knows(made.session_id, item):
            return "replay-foreign-session"
        if made.epoch != self.ledger.epoch:
            return "replay-stale-epoch"
        # A fork leaves entries out and chains the rest anew; what it writes itself it does not.
        rechained = made.session_id != tree.session_id and made.base not in tree.by_id
        return None if item.parent == made.base or rechained else "replay-stale-base"

    def _settle(self, item: Item, code: str | None) -> None:
        if code is not None:
            self._fault(Fault(code, item.id, f"entry {item.id} cannot be followed: {code}"))

    def _fault(self, fault: Fault) -> None:
        if self.ledger.fault is None:
            self.ledger.fault = fault
            self.ledger.changed()


def replayed(branch: Branch, screen: Screen | None = None) -> Replay:
    """Return the cursor at the end of a branch."""
    cursor = Replay(branch.tree, screen)
    for item in branch.path:
        cursor.step(item)
    return cursor


def replay(branch: Branch, then: Iterable[Item] = ()) -> State:
    """Return the state of a branch; `then` are entries as if they had been appended."""
    cursor = replayed(branch)
    for item in then:
        cursor.step(item)
    return cursor.state()
