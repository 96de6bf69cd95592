"""`pcsf grammar translate`: any ABNF for Lark, as a regular expression, in normal form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.grammar.options import (
    GrammarPath,
    Parser,
    Reading,
    Target,
    names,
    read,
    refuse,
    rules_of,
)
from pcsf_lark.faces.cli.terminal import say, tell, trouble, usage_error
from pcsf_lark.faces.files import Trouble

if TYPE_CHECKING:
    from pcsf_lark import abnf

__all__ = ["translate"]


def translate(
    path: GrammarPath,
    *,
    to: Annotated[Target, typer.Option("--to", help="Write this.")] = Target.lark,
    parser: Annotated[
        Parser,
        typer.Option(
            help="Write for this parser of Lark; auto takes Earley where LALR does not do."
        ),
    ] = Parser.auto,
    reading: Reading,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Drop lines such as '8HEXLOW = ...', which define nothing."),
    ] = False,
) -> None:
    """Write a grammar for Lark, as a regular expression, or as ABNF in one normal form.

    Notes on standard error say which rules keep the grammar from being LALR(1).
    A grammar whose start rule matches no text is refused.

    Examples:
        # Parse with Lark what an RFC defines in ABNF.
        pcsf grammar translate grammar.abnf --start date --lexical year,month
        #=> // Lark(text, parser="lalr", start="date", ...
        # Get a regular expression instead.
        pcsf grammar translate grammar.abnf --start date --to regex
        #=> [0-9]{4}-[0-9]{2}-[0-9]{2}
    """
    from pcsf_lark import abnf

    try:
        text, others = read(path, reading.imports)
    except Trouble as error:
        trouble(error)
    try:
        grammar = abnf.read(
            text,
            imports=others,
            **reading.named,
            repair=repair,
        )
        start, tokens = reading.start, names(reading.lexical)
        for name in (*([start] if start else []), *tokens):
            if name not in grammar:
                usage_error(f"{path}: there is no rule {name!r}; {rules_of(grammar)}")
        grammar = abnf.ready(grammar, start or "", tokens)
        say(_written(grammar, to, parser, whole=start is None).rstrip("\n"))
    except abnf.AbnfError as error:
        refuse(path, text, error)


def _written(grammar: abnf.Grammar, to: Target, parser: Parser, *, whole: bool) -> str:
    """The translation; as ABNF of all rules (``whole``) or those the start leads to."""
    from pcsf_lark import abnf

    abnf.refuse_endless(grammar, grammar.start)
    if to is Target.regex:
        return abnf.to_regex(grammar, grammar.start)
    if to is Target.abnf:
        return abnf.to_abnf(grammar if whole else abnf.whole(grammar, grammar.start))
    found = grammar.translate(parser.value)
    for note in found.notes:
        tell(f"pcsf: note: {note.message}; {note.help}", err=True)
    head = f'// Lark(text, parser="{found.parser}", start="{found.start}", '
    lexer = "" if found.parser == "lalr" else 'lexer="dynamic", '
    return f"{head}{lexer}maybe_placeholders=False)\n{found.text}"
