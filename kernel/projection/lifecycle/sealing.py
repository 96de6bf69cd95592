"""What every planned change goes through, from the first gate to the dry replay.

    writable(snapshot)                    may anything be appended here
    semantic(snapshot, origin, permit)    may a summary be made now
    voice(snapshot, origin, permit)       whose word it is in the journal
    sealed(snapshot, origin, payload)     the transaction, proved by replay; or why not

Laws: planning is pure, what it returns is a transaction or a refusal; nothing is returned
that does not replay without a fault on the branch it was planned on, or whose view breaks a
law of a provider that the raw history keeps; any error on the way is a refusal. The
permit of a user lets one semantic step through manual mode, or behind restore-all, and
nothing else.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from kernel.projection.journal.codec import encode, transaction
from kernel.projection.lifecycle.refusal import Refusal, faulted, refuse
from kernel.projection.model import TRANSACTION, Fault, Origin, Payload, Transaction
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.checks import is_worse, sources_of
from kernel.projection.view.projector import Projection, project
from kernel.sessions.pi_entries import Item

__all__ = [
    "WRITABLE_VERSION",
    "Permit",
    "fault_of",
    "is_manual",
    "sealed",
    "semantic",
    "voice",
    "writable",
]

#: Only logs of this version have ids that stay.
WRITABLE_VERSION: Final = 3
#: States of the pressure in which no summary is begun, with the code that says so.
_CLOSED: Final[Mapping[str, str]] = {
    "CHECKPOINT_REQUIRED": "checkpoint-required",
    "OVERFLOW_RECOVERY": "overflow-recovery",
}


class Permit(Protocol):
    """A user's leave for one semantic step of a session, on a branch, in an epoch.

    Whoever gives it sees to it that it is used once.
    """

    @property
    def session_id(self) -> str:
        """Return the session the permit is for."""

    @property
    def epoch(self) -> str:
        """Return the epoch the permit is for."""

    @property
    def leaf(self) -> str | None:
        """Return the leaf it was given on, which its branch goes through."""


def fault_of(snapshot: Snapshot) -> Fault | None:
    """Return why the raw history is shown, None where it need not be."""
    return snapshot.state.fault or snapshot.projection.fault


def is_manual(snapshot: Snapshot) -> bool:
    """Tell whether manual mode is on: the branch's word before the settings'."""
    said = snapshot.state.controls.manual
    return snapshot.config.manual_mode if said is None else said


def writable(snapshot: Snapshot) -> Refusal | None:
    """Refuse where nothing may be appended: a foreign version, a fault, AILI off."""
    if snapshot.tree.version != WRITABLE_VERSION:
        return refuse("read-only-version")
    fault = fault_of(snapshot)
    if fault is not None:
        return faulted(fault)
    return None if snapshot.enabled else refuse("aili-off")


def semantic(snapshot: Snapshot, origin: Origin, permit: Permit | None) -> Refusal | None:
    """Refuse a summary that may not be made: by pressure, by manual mode, by a foreign permit."""
    closed = _CLOSED.get(snapshot.pressure.state)
    if closed is not None:
        return refuse(closed)
    if permit is not None:
        branch = snapshot.branch
        here = permit.leaf is None or permit.leaf in branch.position
        if not here or (permit.session_id, permit.epoch) != (branch.session_id, branch.epoch):
            return refuse("permit-mismatch")
    elif origin != "user" and snapshot.state.controls.restored:
        return refuse("restored")
    elif origin != "user" and is_manual(snapshot):
        return refuse("manual-mode")
    return None


def voice(snapshot: Snapshot, origin: Origin, permit: Permit | None) -> Origin:
    """Return whose word a semantic step is: behind restore-all a permit makes it the user's."""
    return "user" if permit is not None and snapshot.state.controls.restored else origin


def _entry(made: Transaction) -> Item:
    """Return the entry a transaction would be; nothing is written."""
    head = {"type": "custom", "customType": TRANSACTION, "id": made.tx_id, "parentId": made.base}
    return Item(made.tx_id, made.base, {**head, "data": encode(made)}, 0)


def sealed(snapshot: Snapshot, origin: Origin, payload: Payload) -> Transaction | Refusal:
    """Return the transaction of a payload once it is proved on the branch."""
    branch = snapshot.branch
    if branch.leaf is None:
        return refuse("empty-log")
    made = transaction(branch.session_id, branch.epoch, branch.leaf, origin, payload)
    try:
        state = snapshot.then(_entry(made))
        if state.fault is not None:
            return refuse("replay-failed", detail=f"Its fault is {state.fault.code}.")
        view = project(branch, state, enabled=snapshot.config.enabled)
        if view.fault is not None or _breaks(snapshot, view):
            return refuse("view-refused")
    except Exception as error:  # noqa: BLE001 - whatever fails, the log stays as it is
        return refuse("replay-failed", detail=f"It ended in {type(error).__name__}.")
    return made


def _breaks(snapshot: Snapshot, view: Projection) -> bool:
    """Tell whether what changes of a view breaks a law that its raw messages keep.

    The change is judged from the question before it to the question behind it: no law
    reaches further, and a long history is not serialized for a small change.
    """
    old, new = snapshot.projection.messages, view.messages
    first = _common(old, new)
    if view.raw or first == len(old) == len(new):
        return False
    last = len(new) - _common(old[:first:-1], new[:first:-1])
    first = min(first, len(new) - 1)
    while first and new[first].get("role") != "user":
        first -= 1
    while last < len(new) and new[last - 1].get("role") != "user":
        last += 1
    inside = [source.index for item in view.items[first:last] for source in sources_of(item)]
    sources = snapshot.branch.sources[min(inside) : max(inside) + 1]
    return is_worse([source.message for source in sources], new[first:last])


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    """Return how many messages two views have in common from their start."""
    pairs = enumerate(zip(old, new, strict=False))
    differs = (at for at, (one, two) in pairs if one is not two and one != two)
    return next(differs, min(len(old), len(new)))
