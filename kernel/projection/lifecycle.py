"""What every planned change goes through, from the first gate to the dry replay.

    writable(snapshot)                    may anything be appended here
    semantic(snapshot, origin, permit)    may a summary be made now
    sealed(snapshot, origin, payload)     the transaction, proved by replay; or why not

Laws: planning is pure, what it returns is a transaction or a refusal; nothing is returned
that does not replay without a fault on the branch it was planned on, or whose view breaks a
law of a provider that the view before it kept; any error on the way is a refusal. The
permit of a user lets one semantic step through manual mode, and nothing else.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from attrs import evolve

from kernel.projection.branch import Branch
from kernel.projection.journal import encode, transaction
from kernel.projection.model import TRANSACTION, Origin, Payload, Transaction
from kernel.projection.projector import project
from kernel.projection.reducer import replay
from kernel.projection.refusal import Refusal, faulted, refuse
from kernel.projection.snapshot import Snapshot
from kernel.sessions.pi_entries import Item
from kernel.validity import check
from kernel.wire import WIRES, decode_value, encode_value

__all__ = ["Permit", "appended", "is_manual", "is_on", "sealed", "semantic", "writable"]

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


def is_on(snapshot: Snapshot) -> bool:
    """Tell whether AILI is on, by the settings and by the branch."""
    return snapshot.config.enabled and snapshot.state.controls.enabled


def is_manual(snapshot: Snapshot) -> bool:
    """Tell whether manual mode is on: the branch's word before the settings'."""
    said = snapshot.state.controls.manual
    return snapshot.config.manual_mode if said is None else said


def writable(snapshot: Snapshot) -> Refusal | None:
    """Refuse where nothing may be appended: a foreign version, a fault, AILI off."""
    if snapshot.tree.version != WRITABLE_VERSION:
        return refuse("read-only-version")
    if snapshot.state.fault is not None:
        return faulted(snapshot.state.fault)
    return None if is_on(snapshot) else refuse("aili-off")


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


def appended(branch: Branch, made: Transaction) -> Branch:
    """Return the branch as it would be with a transaction appended; nothing is written."""
    value = {"type": "custom", "customType": TRANSACTION, "data": encode(made)}
    item = Item(made.tx_id, branch.leaf, {**value, "id": made.tx_id, "parentId": branch.leaf}, 0)
    return evolve(branch, leaf=item.id, path=(*branch.path, item), context=(*branch.context, item))


def sealed(snapshot: Snapshot, origin: Origin, payload: Payload) -> Transaction | Refusal:
    """Return the transaction of a payload once it is proved on the branch."""
    branch = snapshot.branch
    if branch.leaf is None:
        return refuse("empty-log")
    made = transaction(branch.session_id, branch.epoch, branch.leaf, origin, payload)
    try:
        grown = appended(branch, made)
        state = replay(grown)
        if state.fault is not None:
            return refuse("replay-failed", detail=f"Its fault is {state.fault.code}.")
        if _worse(snapshot.projection.messages, project(grown, state).messages):
            return refuse("view-refused")
    except Exception as error:  # noqa: BLE001 - whatever fails, the log stays as it is
        return refuse("replay-failed", detail=f"It ended in {type(error).__name__}.")
    return made


def _worse(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a view breaks a provider's law more often than the view before it."""
    return before is not after and bool(_violations(after) - _violations(before))


def _violations(messages: Sequence[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Count the laws a view breaks, in Pi's own shape and on every wire."""
    body = {"messages": list(messages)}
    found: Counter[tuple[str, str]] = Counter()
    history = decode_value("pi", body)
    for wire in WIRES:
        view = body if wire == "pi" else encode_value(history.messages, history, wire)
        found.update((wire, wrong.code) for wrong in check(wire, view))
    return found
