"""What every planned change goes through, from the first gate to the dry replay.

    writable(snapshot)                    may anything be appended here
    semantic(snapshot, origin, permit)    may a summary be made now
    sealed(snapshot, origin, payload)     the transaction, proved by replay; or why not

Laws: planning is pure, what it returns is a transaction or a refusal; nothing is returned
that does not replay without a fault on the branch it was planned on, or whose view breaks a
law of a provider that the view before it kept; any error on the way is a refusal. The
permit of a user lets one semantic step through manual mode, and nothing else.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from kernel.projection.journal import encode, transaction
from kernel.projection.model import TRANSACTION, Fault, Origin, Payload, Transaction
from kernel.projection.projector import project
from kernel.projection.reducer import replay
from kernel.projection.refusal import Refusal, faulted, refuse
from kernel.projection.snapshot import Snapshot
from kernel.projection.views import is_worse
from kernel.sessions.pi_entries import Item

__all__ = [
    "WRITABLE_VERSION",
    "Permit",
    "fault_of",
    "is_manual",
    "sealed",
    "semantic",
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
    """A user's leave for one semantic step of a session, in one epoch."""

    @property
    def session_id(self) -> str:
        """Return the session the permit is for."""

    @property
    def epoch(self) -> str:
        """Return the epoch the permit is for."""


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
        named = (permit.session_id, permit.epoch)
        if named != (snapshot.branch.session_id, snapshot.branch.epoch):
            return refuse("permit-mismatch")
    elif origin != "user" and is_manual(snapshot):
        return refuse("manual-mode")
    return None


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
        state = replay(branch, (_entry(made),))
        if state.fault is not None:
            return refuse("replay-failed", detail=f"Its fault is {state.fault.code}.")
        view = project(branch, state, enabled=snapshot.config.enabled)
        if view.fault is not None or is_worse(snapshot.projection.messages, view.messages):
            return refuse("view-refused")
    except Exception as error:  # noqa: BLE001 - whatever fails, the log stays as it is
        return refuse("replay-failed", detail=f"It ended in {type(error).__name__}.")
    return made
