"""`pcsf aili prompt`: what the model is told of AILI."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from pcsf_lark.faces.aili.options import Common, PiLog, log_of

__all__ = ["prompt"]


class Prompt(enum.StrEnum):
    """What `prompt` is told."""

    show = "show"
    reload = "reload"


def prompt(
    path: PiLog,
    action: Annotated[
        Prompt,
        typer.Argument(
            metavar="[show|reload]", help="reload: read the settings anew, as every call here does."
        ),
    ] = Prompt.show,
    *,
    common: Common,
) -> None:
    """Print the six tools and what would stand behind the view of the next request.

    The tools never change within a session; the suffix is made anew for every
    request, is in no log, and is left out where there is nothing to do.

    Examples:
        # See what a model is told of AILI.
        pcsf aili prompt pi.jsonl
        #=> aili_compact ...
    """
    from kernel.projection.provider.suffix import suffix_of
    from kernel.projection.surfaces import SURFACES
    from pcsf_lark.faces.aili import text as words
    from pcsf_lark.faces.aili.saying import put

    with log_of(path, common) as now:
        suffix = suffix_of(now.snapshot)
        value = {
            "tools": [
                {"name": one.name, "description": one.description, "parameters": one.parameters}
                for one in SURFACES.values()
            ],
            "suffix": suffix,
            "settings": list(now.files),
            "reloaded": action is Prompt.reload,
        }
        rows = {one.name: one.description for one in SURFACES.values()}
        rows["settings"] = ", ".join(now.files) or "the defaults"
        beside = "none" if suffix is None else f"\n{suffix['content']}"
        put(now, value, f"{words.lines(rows)}\nsuffix: {beside}")
