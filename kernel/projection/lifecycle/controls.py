"""Switches of a branch: planned, never assumed.

Laws: a switch is the user's word, appended like any change; one that already stands is not
appended again; restore-all is heard even while AILI is off or the journal cannot be
followed, and stands above every automatism until the next epoch, or until its user switches on again.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kernel.projection.lifecycle.refusal import Refusal, faulted, refuse
from kernel.projection.lifecycle.sealing import WRITABLE_VERSION, fault_of, is_manual, sealed
from kernel.projection.model import CONTROLS, Control, ControlAction, Transaction
from kernel.projection.snapshot import Snapshot

__all__ = ["control", "restore_all"]


def _restored(snapshot: Snapshot) -> bool:
    state = snapshot.state
    shown = state.active() or state.cooled or fault_of(snapshot) is not None
    return state.controls.restored and not shown


#: What must hold for a switch to stand already.
_STANDS: Final[Mapping[ControlAction, Callable[[Snapshot], bool]]] = {
    # Switching on also ends what restore-all ordered.
    "on": lambda snapshot: snapshot.state.controls.enabled and not snapshot.state.controls.restored,
    "off": lambda snapshot: not snapshot.state.controls.enabled,
    "manual-on": is_manual,
    "manual-off": lambda snapshot: not is_manual(snapshot),
    "cache-panel-on": lambda snapshot: snapshot.state.controls.cache_panel,
    "cache-panel-off": lambda snapshot: not snapshot.state.controls.cache_panel,
    "restore-all": _restored,
}


def control(snapshot: Snapshot, action: ControlAction) -> Transaction | Refusal:
    """Plan a switch the user asks for; raises ValueError for one there is not."""
    if action not in CONTROLS:
        raise ValueError(f"no switch is called {action!r}: use one of {', '.join(CONTROLS)}")
    if snapshot.tree.version != WRITABLE_VERSION:
        return refuse("read-only-version")
    fault = fault_of(snapshot)
    if fault is not None and action != "restore-all":
        return faulted(fault)
    if _STANDS[action](snapshot):
        return refuse("already-in-force")
    return sealed(snapshot, "user", Control(action))


def restore_all(snapshot: Snapshot) -> Transaction | Refusal:
    """Plan the return to the raw history: every block off, every result raw, cooling ended."""
    return control(snapshot, "restore-all")
