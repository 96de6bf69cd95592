"""`pcsf aili context` and `stats`: what a view holds, and what it saves."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.aili.options import Common, PiLog, log_of

__all__ = ["context", "stats"]


def context(
    path: PiLog,
    offset: Annotated[
        int, typer.Argument(metavar="[OFFSET]", min=0, help="Pass over this many messages.")
    ] = 0,
    limit: Annotated[
        int, typer.Argument(metavar="[LIMIT]", min=1, max=64, help="List this many.")
    ] = 32,
    *,
    common: Common,
) -> None:
    """List the messages of the view: refs, estimated tokens, why they are protected.

    Examples:
        # List two messages, behind the first.
        pcsf aili context pi.jsonl 1 2
        #=> ...
    """
    from pcsf_lark.faces.aili import report
    from pcsf_lark.faces.aili import text as words
    from pcsf_lark.faces.aili.saying import put

    with log_of(path, common) as now:
        found = report.context(now.snapshot, offset, limit)
        put(now, found, words.context_text(found))


def stats(path: PiLog, *, common: Common) -> None:
    """Print how much is shown, folded and saved, and how full the window is.

    Examples:
        # See what is folded, and what that saves.
        pcsf aili stats pi.jsonl
        #=> session   S-1, ...
    """
    from pcsf_lark.faces.aili import report
    from pcsf_lark.faces.aili import text as words
    from pcsf_lark.faces.aili.saying import put

    with log_of(path, common) as now:
        found = report.stats(now.snapshot)
        put(now, found, words.stats_text(found))
