"""Changes of a log by its journal: planned in thought, then appended, or only shown.

    steps = planned(now, [lambda snapshot: control(snapshot, "off")])
    for step in append_all(path, leaf, steps): …    # one custom entry a step, in order

Laws: all steps are planned before the first is written, each on the log as the one before
it will leave it, so that one refusal leaves everything as it was; what is appended are
transactions of AILI and nothing else.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from kernel.projection.journal.codec import encode
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.log.storage import append
from kernel.projection.model import TRANSACTION, Transaction
from kernel.projection.snapshot import Snapshot, take
from kernel.sessions.pi_entries import Item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kernel.projection.log.branch import SessionTree

__all__ = ["Step", "append_all", "planned", "step_of"]


@frozen
class Step:
    """A transaction, the entry it will be, and the branch behind it."""

    transaction: Transaction
    entry_id: str
    after: Snapshot

    def as_json(self) -> dict[str, Any]:
        """The entry as it will stand in the log, but for its time."""
        return {
            "entryId": self.entry_id,
            "parentId": self.transaction.base,
            "customType": TRANSACTION,
            "data": encode(self.transaction),
        }


def planned(
    now: Snapshot, plans: Iterable[Callable[[Snapshot], Transaction | Refusal]]
) -> tuple[Step, ...] | Refusal:
    """Plan one change after the other; the first refusal is the answer to all."""
    steps: list[Step] = []
    for plan in plans:
        made = plan(now)
        if isinstance(made, Refusal):
            return made
        steps.append(step_of(now, made))
        now = steps[-1].after
    return tuple(steps)


def step_of(now: Snapshot, made: Transaction) -> Step:
    """A transaction with its entry, and the branch as it leaves it."""
    name = _new_id(now.tree, made)
    return Step(made, name, take(_grown(now.tree, made, name), name, now.config))


def append_all(path: str, leaf: str | None, steps: Iterable[Step]) -> Iterator[Step]:
    """Append steps to a log whose last entry was `leaf` when it was read; yield each then.

    Raises what `storage.append` raises.
    """
    for step in steps:
        append(
            Path(path),
            step.transaction.base,
            TRANSACTION,
            encode(step.transaction),
            expected_leaf=leaf,
            now=datetime.now(UTC),
            entry_id=step.entry_id,
            session_id=step.transaction.session_id,
        )
        leaf = step.entry_id
        yield step


def _new_id(tree: SessionTree, made: Transaction) -> str:
    """An id of Pi's length: equal plans get equal ids, so that a dry run tells the truth."""
    names = (sha256(f"{made.tx_id} {at}".encode()).hexdigest()[:8] for at in count())
    return next(name for name in names if name not in tree.by_id)


def _grown(tree: SessionTree, made: Transaction, name: str) -> SessionTree:
    value = {
        "type": "custom",
        "customType": TRANSACTION,
        "data": encode(made),
        "id": name,
        "parentId": made.base,
    }
    line = max((item.line for item in tree.entries[-1:]), default=1) + 1
    return evolve(tree, entries=(*tree.entries, Item(name, made.base, value, line)))
