"""`pcsf rules`: all rules at a glance."""

from __future__ import annotations

import enum
import json
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import say, tell
from pcsf_lark.faces.explaining import listing

__all__ = ["command"]


class Listing(enum.StrEnum):
    """How the list is shown."""

    human = "human"
    json = "json"


def command(
    *,
    output: Annotated[
        Listing, typer.Option("--format", help="Print the list in this form.")
    ] = Listing.human,
) -> None:
    """List the rules: code, name, severity, and what each asks.

    These are the rules for capsules; `pcsf explain G` names the findings of
    `pcsf grammar check`.

    Examples:
        # See what a capsule is held to.
        pcsf rules
        #=> C0    broken-layout ...
    """
    rows = listing()
    if output is Listing.json:
        say(json.dumps(rows, indent=1))
        return
    names = max(len(row["name"]) for row in rows)
    for row in rows:
        code, name, severity = row["code"], row["name"], row["severity"]
        tell(f"{code:<5} {name:<{names}} {severity:<8} {row['summary']}")
