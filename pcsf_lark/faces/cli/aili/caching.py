"""`pcsf aili cache`: what is known of the provider's cache, and the panel's switch."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.aili.options import Change, PiLog, log_of
from pcsf_lark.faces.cli.terminal import usage_error

__all__ = ["cache"]


def cache(
    path: PiLog,
    panel: Annotated[
        list[str] | None,
        typer.Argument(metavar="[panel on|off]", help="Show the agent's cache panel, or hide it."),
    ] = None,
    *,
    common: Change,
) -> None:
    """Print the session's usage of the cache, the stability of requests, and identities.

    Two sections that never mix: usage the log holds, and requests of one
    process, of which a shell has seen none. A hit is what a provider reported.

    Examples:
        # See what a provider said that it had cached.
        pcsf aili cache pi.jsonl
        #=> session requests ...
    """
    from kernel.projection.lifecycle.controls import control
    from kernel.projection.provider.caching import Stability, cache_report, session_totals
    from kernel.projection.provider.identity import StaticSurface, identities
    from kernel.projection.provider.suffix import suffix_of
    from kernel.projection.surfaces import SURFACES
    from pcsf_lark.faces.aili.changing import change
    from pcsf_lark.faces.aili.saying import put

    with log_of(path, common) as now:
        if panel:
            if panel == ["panel", "on"]:
                change(now, [lambda snapshot: control(snapshot, "cache-panel-on")])
            elif panel == ["panel", "off"]:
                change(now, [lambda snapshot: control(snapshot, "cache-panel-off")])
            else:
                usage_error("write `panel on` or `panel off` behind the file, or nothing")
            return
        snapshot = now.snapshot
        config = snapshot.config
        tools = [
            {"name": one.name, "description": one.description, "parameters": one.parameters}
            for one in SURFACES.values()
        ]
        surface = StaticSurface(config.provider or "", config.model or "", tools=tools)
        suffix = suffix_of(snapshot)
        value = {
            **cache_report(session_totals(now.tree), Stability()),
            "identities": identities(surface, snapshot, suffix).as_json(),
            "panel": snapshot.state.controls.cache_panel,
        }
        put(now, value, _text(value))


def _text(value: dict[str, object]) -> str:
    from pcsf_lark.faces.aili import text as words

    rows = {}
    for section in ("session", "stability", "identities"):
        found = value[section]
        if isinstance(found, dict):
            for name, told in found.items():
                rows[f"{section} {name}"] = f"{told:,}" if isinstance(told, int) else told
    rows["panel"] = "on" if value["panel"] else "off"
    return words.lines(rows)
