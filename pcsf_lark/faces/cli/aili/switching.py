"""`pcsf aili on`, `off`, `restore-all` and `manual`: the switches of a branch."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.aili.options import Change, PiLog, log_of

if TYPE_CHECKING:
    from kernel.projection.model import ControlAction

__all__ = ["manual", "off", "on", "restore_all"]


class Manual(enum.StrEnum):
    """What `manual` is told."""

    on = "on"
    off = "off"
    status = "status"


def on(path: PiLog, *, common: Change) -> None:
    """Switch AILI on for the branch; this also ends what restore-all ordered.

    Examples:
        # Go on folding.
        pcsf aili on off-pi.jsonl
        #=> writes off-pi.jsonl
        #=> appended  ...
    """
    from kernel.projection.lifecycle.controls import control
    from pcsf_lark.faces.aili.changing import change

    with log_of(path, common) as now:
        change(now, [lambda snapshot: control(snapshot, "on")])


def off(path: PiLog, *, common: Change) -> None:
    """Switch AILI off for the branch: the view is the raw history, nothing is planned.

    Pi's own settings and its /compact stay as they are.

    Examples:
        # Leave the branch as it is from here on.
        pcsf aili off pi.jsonl
        #=> writes pi.jsonl
        #=> appended  ...
    """
    from kernel.projection.lifecycle.controls import control
    from pcsf_lark.faces.aili.changing import change

    with log_of(path, common) as now:
        change(now, [lambda snapshot: control(snapshot, "off")])


def restore_all(path: PiLog, *, common: Change) -> None:
    """Show the raw history again: every block of the epoch off, cooling ended.

    Nothing automatic undoes this. Summaries stay in the log; `recompress`
    closes a block again where you ask for it.

    Examples:
        # See the whole history again.
        pcsf aili restore-all pi.jsonl
        #=> writes pi.jsonl
        #=> appended  ...
    """
    from kernel.projection.lifecycle.controls import control
    from pcsf_lark.faces.aili.changing import change

    with log_of(path, common) as now:
        change(now, [lambda snapshot: control(snapshot, "restore-all")])


def manual(
    path: PiLog,
    action: Annotated[
        Manual,
        typer.Argument(
            metavar="[on|off|status]", help="on: summaries only where the user permits one."
        ),
    ] = Manual.status,
    *,
    common: Change,
) -> None:
    """Say or set whether summaries need the user's permit; cooling is not touched.

    Examples:
        # Ask before each summary.
        pcsf aili manual pi.jsonl on
        #=> writes pi.jsonl
        #=> appended  ...
    """
    from kernel.projection.lifecycle.controls import control
    from kernel.projection.lifecycle.sealing import is_manual
    from pcsf_lark.faces.aili.changing import change
    from pcsf_lark.faces.aili.saying import put

    with log_of(path, common) as now:
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
