"""`pcsf new`: a capsule to start from."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from pcsf_lark.api import format_capsule
from pcsf_lark.emit import from_json
from pcsf_lark.errors import CapsuleError, JsonError
from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.cli.delivery import Output, deliver, refuse
from pcsf_lark.faces.cli.noticing import timestamp
from pcsf_lark.faces.cli.terminal import trouble
from pcsf_lark.faces.files import Trouble, read_text
from pcsf_lark.protocols.template import template
from pcsf_lark.spec import DEPTHS, LAYERS, VERSIONS

__all__ = ["command"]

#: JSON of a capsule is a few KiB; what is far beyond is no capsule.
_MOST = 1024 * 1024


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
    try:
        data = format_capsule(from_json(_completed(_load(source), time)))
    except JsonError as error:
        refuse(f"{source}: {error}")
    except CapsuleError as error:
        refuse(
            "\n".join(
                f"{source}: {d.code} {d.name}: {d.message}; {d.help}" for d in error.diagnostics
            )
        )
    deliver(data, output)


def _load(path: str) -> Any:
    try:
        text = read_text(path, _MOST)
    except Trouble as error:
        trouble(error)
    if text is None:
        refuse(f"{path}: more than {_MOST:,} bytes: this is no capsule's JSON")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        refuse(f"{path}: line {error.lineno}, column {error.colno}: not JSON: {error.msg}")
    except (RecursionError, ValueError):
        refuse(f"{path}: not a capsule's JSON: nested too deeply, or a number too long")


def _completed(obj: Any, time: str) -> Any:
    """The object with what it leaves out: the newest version, empty layers, the time."""
    if not isinstance(obj, dict):
        return obj
    defaults = {"version": VERSIONS[-1], **{layer.key: [] for layer in LAYERS}}
    if isinstance(obj.get("meta"), dict):
        obj = {**obj, "meta": {"depth": DEPTHS[1], "timestamp": time, **obj["meta"]}}
    return {**defaults, **obj}
