"""`pcsf conformance list`."""

from __future__ import annotations

import enum
import json
from typing import Annotated

import typer

from pcsf_lark.faces.cli.conformance.choosing import chosen
from pcsf_lark.faces.cli.conformance.options import Choice
from pcsf_lark.faces.cli.terminal import say

__all__ = ["list_"]


class Listing(enum.StrEnum):
    """How the list is shown."""

    human = "human"
    json = "json"


def list_(
    *,
    choice: Choice,
    output: Annotated[
        Listing, typer.Option("--format", help="How the list is shown.")
    ] = Listing.human,
) -> None:
    """List the cases: name, what is right, and what that rests on.

    Examples:
        # Which cases there are of the caps of L1.
        pcsf conformance list --run 'invalid/c6/l1*'
        #=> invalid/c6/l1-13-compact  exit 1  2.5-2.9; D14
    """
    _, found, _ = chosen(choice)
    if output is Listing.json:
        rows = [
            {
                "name": case.name,
                "exit": case.expected.exit,
                "codes": sorted(case.expected.codes or ()),
                "arguments": list(case.arguments),
                "spec": case.spec,
            }
            for case in found
        ]
        say(json.dumps(rows, indent=1))
        return
    for case in found:
        say(f"{case.name}  exit {case.expected.exit}  {case.spec}".rstrip())
