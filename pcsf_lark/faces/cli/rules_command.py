"""`pcsf rules`: all rules at a glance."""

from __future__ import annotations

import enum
import json
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import say
from pcsf_lark.rules import all_rules

__all__ = ["command"]


class Listing(enum.StrEnum):
    """How the list is shown."""

    human = "human"
    json = "json"


def command(
    *,
    output: Annotated[
        Listing, typer.Option("--format", help="How the list is shown.")
    ] = Listing.human,
) -> None:
    """List the rules: code, name, severity, and what each asks.

    These are the rules for capsules; `pcsf explain G` names the findings of
    `pcsf grammar check`.
    """
    rules = all_rules()
    if output is Listing.json:
        rows = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.severity.value,
                "section": rule.section,
                "summary": rule.summary,
            }
            for rule in rules
        ]
        say(json.dumps(rows, indent=1))
        return
    names = max(len(rule.name) for rule in rules)
    for rule in rules:
        say(f"{rule.code:<5} {rule.name:<{names}} {rule.severity.value:<8} {rule.summary}")
