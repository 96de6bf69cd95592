"""`pcsf resume`: what to notice in a capsule before going on."""

from __future__ import annotations

import enum
import json
from typing import Annotated

import typer

from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.cli.noticing import noticed, timestamp
from pcsf_lark.faces.cli.options import OnePath
from pcsf_lark.faces.cli.terminal import say, tell
from pcsf_lark.protocols.resume import resume_text
from pcsf_lark.report.text import printable

__all__ = ["command"]


class View(enum.StrEnum):
    """How it is shown."""

    text = "text"
    json = "json"


def command(
    path: OnePath,
    *,
    now: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Take this time (UTC) for the present. Default: the clock's.",
            show_default=False,
        ),
    ] = None,
    context_time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Say of when the context is that the reader has besides. Default: none.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        View, typer.Option("--format", help="Print it as text, or as JSON.")
    ] = View.text,
) -> None:
    """Tell what a careful reader must notice: age, chain, contradictions, loops, questions.

    Times are as in META, such as 2026-05-04T09:30Z. A capsule is stale where
    the context is newer: then the context wins.

    Examples:
        # Look before you go on.
        pcsf resume capsule.pcsf --now 2026-05-06T09:30Z
        #=> capsule.pcsf: Search index (software, WORKING)
    """
    notice = noticed(
        path,
        now=timestamp("--now", now) or utc_now(),
        context_time=timestamp("--context-time", context_time),
    )
    if output is View.json:
        say(json.dumps(notice.as_object(path), indent=1))
    else:
        for line in resume_text(notice, path).split("\n"):
            tell(printable(line))
