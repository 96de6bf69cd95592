"""`pcsf aili doctor`: how everything stands, and the repair of collected blocks."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.aili.options import Common, PiLog, log_of
from pcsf_lark.faces.cli.terminal import tell

__all__ = ["doctor"]


def doctor(
    path: PiLog,
    *,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair", help="Bring back blocks that version 2 of AILI dropped for their age."
        ),
    ] = False,
    common: Common,
) -> None:
    """Report on every part of AILI: ok, off, fault, or Unverified.

    What only a live agent or provider could prove is Unverified. Exit code 1
    where a part has a fault. Only --repair writes, and only where evidence
    permits it.

    Examples:
        # Ask whether all is well with a session.
        pcsf aili doctor pi.jsonl
        #=> session         S-1, ...
    """
    from kernel.projection.lifecycle.sealing import writable
    from pcsf_lark.faces.aili.health import health, mended
    from pcsf_lark.faces.aili.health_text import health_text
    from pcsf_lark.faces.aili.saying import Declined, put, worded, writing

    with log_of(path, common) as now:
        after = now
        if repair:
            stop = writable(now.snapshot)
            if stop is not None:
                raise Declined(worded(stop, now.snapshot))
            before = now.snapshot.state.repaired
            with writing(now.given.path):
                after = mended(now)
            count = len(after.snapshot.state.repaired - before)
            tell(f"pcsf: {count} {'block' if count == 1 else 'blocks'} brought back", err=True)
        report = health(after)
        put(after, report, health_text(report))
        if any(
            isinstance(part, dict) and part.get("status") == "fault" for part in report.values()
        ):
            raise typer.Exit(1)
