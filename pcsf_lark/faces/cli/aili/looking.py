"""`pcsf aili context` and `stats`: what a view holds, and what it saves."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.aili import report
from pcsf_lark.faces.aili import text as words
from pcsf_lark.faces.aili.log import Opened
from pcsf_lark.faces.aili.options import verb
from pcsf_lark.faces.aili.saying import put

__all__ = ["context", "stats"]


@verb
def context(
    now: Opened,
    offset: Annotated[int, typer.Argument(min=0, help="How many messages to pass over.")] = 0,
    limit: Annotated[int, typer.Argument(min=1, max=64, help="How many to list.")] = 32,
) -> None:
    """List the messages of the view: refs, estimated tokens, why they are protected."""
    found = report.context(now.snapshot, offset, limit)
    put(now, found, words.context_text(found))


@verb
def stats(now: Opened) -> None:
    """Print how much is shown, folded and saved, and how full the window is."""
    found = report.stats(now.snapshot)
    put(now, found, words.stats_text(found))
