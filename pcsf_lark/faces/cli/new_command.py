"""`pcsf new`: a capsule to start from."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pcsf_lark.api import format_capsule
from pcsf_lark.faces.cli.capsule_json import capsule_text
from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.cli.delivery import Output, deliver
from pcsf_lark.faces.cli.noticing import timestamp
from pcsf_lark.protocols.template import template
from pcsf_lark.spec import DEPTHS, LAYERS, VERSIONS

__all__ = ["command"]


def command(
    *,
    source: Annotated[
        str | None,
        typer.Option(
            "--from-json",
            metavar="FILE",
            help="Take what it says from a JSON object as `pcsf ast` prints it, or - for stdin; "
            "version, depth, timestamp and layers may be left out. Default: a template.",
            show_default=False,
        ),
    ] = None,
    now: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Date it so, in UTC. Default: the clock's time.",
            show_default=False,
        ),
    ] = None,
    output: Output = None,
) -> None:
    """Write a capsule to fill in: conformant, with one entry in each layer that names its parts.

    Examples:
        # Begin a capsule by hand.
        pcsf new -o begun.pcsf
        #=> writes begun.pcsf
        # Complete what a program knows; the rest is filled in.
        pcsf new --from-json capsule.json
        #=> ===PCSF:v1.2===
    """
    time = timestamp("--now", now) or utc_now()
    if source is None:
        deliver(format_capsule(template(time)), output)
        return
    deliver(capsule_text(source, lambda tree: _completed(tree, time)), output)


def _completed(obj: Any, time: str) -> Any:
    """The object with what it leaves out: the newest version, empty layers, the time."""
    if not isinstance(obj, dict):
        return obj
    defaults = {"version": VERSIONS[-1], **{layer.key: [] for layer in LAYERS}}
    if isinstance(obj.get("meta"), dict):
        obj = {**obj, "meta": {"depth": DEPTHS[1], "timestamp": time, **obj["meta"]}}
    return {**defaults, **obj}
