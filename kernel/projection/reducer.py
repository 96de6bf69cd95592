"""Replay: the state of a branch from its entries alone.

    state = replay(branch)                        the whole branch
    cursor = Replay(session_id, inherits=False)   the same, entry by entry
    for item in branch.path:
        cursor.step(item)                         root first; work of the entry's own size
    cursor.state()                                the same object until a step changes it
    cursor.copy()                                 an independent cursor at the same place

`inherits` says that the session names a parent session, so that transactions copied from
it may stand on the path. A compaction's step costs what the compaction keeps; a step of a
journal entry costs what it covers; every other step is constant.

Laws: replay is deterministic and stores nothing; every prefix of a journal replays; a
transaction is verified whole and applied whole, or it is a fault and changes nothing;
while a fault stands, only restore-all and a new epoch are heard.
"""

from kernel.projection.model import State
from kernel.sessions.pi_entries import Item

__all__ = ["Replay"]


class Replay:
    """A cursor over the entries of one branch, root first."""

    def __init__(self, session_id: str, *, inherits: bool = False) -> None:
        raise NotImplementedError

    def step(self, item: Item) -> None:
        """Take the next entry of the path."""
        raise NotImplementedError

    def state(self) -> State:
        """Return the state after the entries so far."""
        raise NotImplementedError

    def copy(self) -> "Replay":
        """Return a cursor that goes its own way from here."""
        raise NotImplementedError
