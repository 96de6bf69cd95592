"""`pcsf aili on`, `off`, `restore-all` and `manual`: the switches of a branch."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from kernel.projection.lifecycle.controls import control
from kernel.projection.lifecycle.sealing import is_manual
from kernel.projection.model import ControlAction
from pcsf_lark.faces.aili.changing import change
from pcsf_lark.faces.aili.log import Opened
from pcsf_lark.faces.aili.options import verb
from pcsf_lark.faces.aili.saying import put

__all__ = ["manual", "off", "on", "restore_all"]


class Manual(enum.StrEnum):
    """What `manual` is told."""

    on = "on"
    off = "off"
    status = "status"


@verb(writes=True)
def on(now: Opened) -> None:
    """Switch AILI on for the branch; this also ends what restore-all ordered."""
    change(now, [lambda snapshot: control(snapshot, "on")])


@verb(writes=True)
def off(now: Opened) -> None:
    """Switch AILI off for the branch: the view is the raw history, nothing is planned.

    Pi's own settings and its /compact stay as they are.
    """
    change(now, [lambda snapshot: control(snapshot, "off")])


@verb(writes=True)
def restore_all(now: Opened) -> None:
    """Show the raw history again: every block of the epoch off, cooling ended.

    Nothing automatic undoes this. Summaries stay in the log; `recompress`
    closes a block again where you ask for it.
    """
    change(now, [lambda snapshot: control(snapshot, "restore-all")])


@verb(writes=True)
def manual(
    now: Opened,
    action: Annotated[
        Manual, typer.Argument(help="on: summaries only where the user permits one.")
    ] = Manual.status,
) -> None:
    """Say or set whether summaries need the user's permit; cooling is not touched."""
    if action is Manual.status:
        snapshot = now.snapshot
        said = snapshot.state.controls.manual
        source = "settings" if said is None else "branch"
        found = is_manual(snapshot)
        put(
            now,
            {"manual": found, "from": source},
            f"manual mode is {'on' if found else 'off'}, by the {source}",
        )
        return
    name: ControlAction = "manual-on" if action is Manual.on else "manual-off"
    change(now, [lambda snapshot: control(snapshot, name)])
