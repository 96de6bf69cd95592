"""`pcsf aili prompt`: what the model is told of AILI."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from kernel.projection.provider.suffix import suffix_of
from kernel.projection.surfaces import SURFACES
from pcsf_lark.faces.aili import text as words
from pcsf_lark.faces.aili.log import Opened
from pcsf_lark.faces.aili.options import verb
from pcsf_lark.faces.aili.saying import put

__all__ = ["prompt"]


class Prompt(enum.StrEnum):
    """What `prompt` is told."""

    show = "show"
    reload = "reload"


@verb
def prompt(
    now: Opened,
    action: Annotated[
        Prompt,
        typer.Argument(metavar="[reload]", help="Read the settings anew, as every call here does."),
    ] = Prompt.show,
) -> None:
    """Print the six tools and what would stand behind the view of the next request.

    The tools never change within a session; the suffix is made anew for every
    request, is in no log, and is left out where there is nothing to do.
    """
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
