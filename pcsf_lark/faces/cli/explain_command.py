"""`pcsf explain`: a rule's manual page."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.rules import find_rule, resolve

__all__ = ["command"]


def command(
    rule: Annotated[
        str, typer.Argument(metavar="CODE|NAME", help="Such as C7 or malformed-entry.")
    ],
) -> None:
    """Explain a rule: what holds, why, what to write instead, examples."""
    found = find_rule(rule)
    if found is None:
        try:
            codes = sorted(resolve([rule]))
        except ValueError as error:
            usage_error(str(error))
        usage_error(f"{rule!r} stands for {len(codes)} rules: {', '.join(codes)}; name one")
    say(
        f"{found.code} {found.name} ({found.severity.value}, specification section {found.section})"
    )
    say(f"\n{found.doc}")
    for title, examples in (("Good", found.good), ("Bad", found.bad)):
        shown = [_snippet(example.shown) for example in examples if example.shown.strip()]
        if shown:
            say(f"\n{title}:")
            say("\n".join(shown))


def _snippet(text: str, most: int = 3) -> str:
    """The changed lines of an example, escaped and indented, at most a few."""
    lines = [line.encode("unicode_escape").decode("ascii") for line in text.strip("\n").split("\n")]
    if len(lines) > most:
        lines = [*lines[:most], f"... {len(lines) - most} more lines"]
    return "\n".join(f"    {line[:100]}" for line in lines)
