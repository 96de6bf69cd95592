"""`pcsf grammar export`: the capsule's grammar for other tools."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.cli.grammar.options import Form, Layout
from pcsf_lark.faces.cli.terminal import say

__all__ = ["export"]


def export(
    *,
    to: Annotated[Form, typer.Option("--to", help="Write this.", show_default=False)],
    layout: Annotated[Layout, typer.Option(help="Admit this layout of capsules.")] = Layout.any,
) -> None:
    """Write the capsule's grammar for other tools.

    Under llguidance, lark, gbnf, regex and abnf a writer cannot break a rule
    that a grammar can hold: caps, tokens, spaces, dates, layout. What remains
    is the size, the stamp's values, and that SEED is one sentence.

    Examples:
        # Make a model write nothing but capsules, with llama.cpp.
        pcsf grammar export --to gbnf
        #=> root ::= capsule
        # Get the grammar for constrained generation with llguidance.
        pcsf grammar export --to llguidance --layout spaced
        #=> %llguidance {}
    """
    from pcsf_lark.export import export as exported

    say(exported(to.value, layout.value).rstrip("\n"))
