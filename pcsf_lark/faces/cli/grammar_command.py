"""`pcsf grammar`: any ABNF checked and translated, and the capsule's grammar for other tools."""

from __future__ import annotations

from pcsf_lark.faces.cli.lazy import Group

__all__ = ["app"]

app = Group(
    "grammar",
    """Check and translate any ABNF grammar; export the capsule's own for other tools.

    ABNF (RFC 5234, 7405) is the language in which internet standards write
    their grammars.

    Examples:
        # Judge a grammar.
        pcsf grammar check grammar.abnf
        #=> grammar.abnf: conformant, 80 bytes
        # Translate it for Lark.
        pcsf grammar translate grammar.abnf --start date --lexical year,month
        #=> // Lark(text, parser="lalr", start="date", ...
    """,
    {
        "translate": (
            "translate",
            "Write a grammar for Lark, as a regular expression, or as ABNF in one normal form.",
        ),
        "check": ("check", "Find everything wrong, loose or dangerous in a grammar, all at once."),
        "export": ("export", "Write the capsule's grammar for other tools."),
    },
    package="pcsf_lark.faces.cli.grammar",
)
