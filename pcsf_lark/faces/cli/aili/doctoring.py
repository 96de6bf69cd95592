"""`pcsf aili doctor`: how everything stands, and the repair of collected blocks."""

from __future__ import annotations

from typing import Annotated

import typer

from kernel.projection.lifecycle.sealing import writable
from pcsf_lark.faces.aili.health import health, mended
from pcsf_lark.faces.aili.health_text import health_text
from pcsf_lark.faces.aili.log import Opened
from pcsf_lark.faces.aili.options import verb
from pcsf_lark.faces.aili.saying import Declined, put, worded, writing
from pcsf_lark.faces.cli.terminal import say

__all__ = ["doctor"]


@verb
def doctor(
    now: Opened,
    *,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Bring back blocks that a version 2 collected by age."),
    ] = False,
) -> None:
    """Report on every part of AILI: ok, off, fault, or Unverified.

    What only a live agent or provider could prove is Unverified. Exit code 1
    where a part has a fault. Only --repair writes, and only where evidence
    permits it.
    """
    if repair:
        stop = writable(now.snapshot)
        if stop is not None:
            raise Declined(worded(stop, now.snapshot))
        before = now.snapshot.state.repaired
        with writing(now.given.path):
            now = mended(now)
        count = len(now.snapshot.state.repaired - before)
        say(f"pcsf: {count} {'block' if count == 1 else 'blocks'} brought back", err=True)
    report = health(now)
    put(now, report, health_text(report))
    if any(isinstance(part, dict) and part.get("status") == "fault" for part in report.values()):
        raise typer.Exit(1)
