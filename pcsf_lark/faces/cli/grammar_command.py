"""`pcsf grammar`: any ABNF checked and translated, and the capsule's grammar for other tools."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.cli.grammar_options import (
    Bind,
    Form,
    GrammarPath,
    Imports,
    Layout,
    Lexical,
    Parser,
    ShadowCore,
    Start,
    Target,
    bindings,
    names,
    read,
    refuse,
    rules_of,
)
from pcsf_lark.faces.cli.options import Format
from pcsf_lark.faces.cli.terminal import colours, say, trouble, usage_error
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.grammars import report
from pcsf_lark.report import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pcsf_lark import abnf
    from pcsf_lark.report import Report

__all__ = ["app"]

app = typer.Typer(
    name="grammar",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _grammar() -> None:
    """Check and translate any ABNF grammar; export the capsule's own for other tools."""


@app.command("translate")
def _translate(
    path: GrammarPath,
    *,
    start: Start = None,
    lexical: Lexical = None,
    to: Annotated[Target, typer.Option("--to", help="What to write.")] = Target.lark,
    parser: Annotated[
        Parser, typer.Option(help="LALR is strict; auto takes Earley where LALR does not do.")
    ] = Parser.auto,
    imports: Imports = None,
    bind: Bind = None,
    shadow_core: ShadowCore = False,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Drop lines such as '8HEXLOW = ...', which say nothing."),
    ] = False,
) -> None:
    """Write a grammar for Lark, as a regular expression, or as ABNF in one normal form.

    Notes on standard error say which rules keep the grammar from being LALR(1).
    A grammar whose start rule matches no text is refused.
    """
    from pcsf_lark import abnf  # noqa: PLC0415 - the toolkit is for these commands alone

    try:
        text, others = read(path, imports)
    except Trouble as error:
        trouble(error)
    try:
        grammar = abnf.read(
            text,
            imports=others,
            bind=bindings(bind),
            shadow_core=shadow_core,
            repair=repair,
        )
        tokens = names(lexical)
        for name in (*([start] if start else []), *tokens):
            if name not in grammar:
                usage_error(f"{path}: there is no rule {name!r}; {rules_of(grammar)}")
        grammar = abnf.ready(grammar, start or "", tokens)
        say(_written(grammar, to, parser, whole=start is None).rstrip("\n"))
    except abnf.AbnfError as error:
        refuse(path, text, error)


def _written(grammar: abnf.Grammar, to: Target, parser: Parser, *, whole: bool) -> str:
    """The translation; as ABNF of all rules (``whole``) or those the start leads to."""
    from pcsf_lark import abnf  # noqa: PLC0415 - likewise

    abnf.refuse_endless(grammar, grammar.start)
    if to is Target.regex:
        return abnf.to_regex(grammar, grammar.start)
    if to is Target.abnf:
        return abnf.to_abnf(grammar if whole else abnf.whole(grammar, grammar.start))
    found = grammar.translate(parser.value)
    for note in found.notes:
        say(f"pcsf: note: {note.message}; {note.help}", err=True)
    head = f'// Lark(text, parser="{found.parser}", start="{found.start}", '
    lexer = "" if found.parser == "lalr" else 'lexer="dynamic", '
    return f"{head}{lexer}maybe_placeholders=False)\n{found.text}"


@app.command("check")
def _check(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="ABNF files, or - for standard input.")
    ],
    *,
    start: Start = None,
    lexical: Lexical = None,
    output: Annotated[
        Format, typer.Option("--format", help="How results are shown.")
    ] = Format.human,
    imports: Imports = None,
    bind: Bind = None,
    shadow_core: ShadowCore = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="RFC 5234 to the letter: CRLF, no indentation.")
    ] = False,
    fail_on: Annotated[
        Severity, typer.Option(help="The mildest severity that makes the exit code 1.")
    ] = Severity.ERROR,
) -> None:
    """Find everything wrong, loose or dangerous in a grammar, all at once.

    Errors make the exit code 1; warnings tell of left recursion, repetitions
    that greedy parsers cannot take, and choices that are ambiguous.
    """
    from pcsf_lark import abnf  # noqa: PLC0415 - the toolkit is for these commands alone

    def findings(path: str) -> Report:
        text, others = read(path, imports)
        found = abnf.inspect(
            text,
            start=start or "",
            lexical=names(lexical),
            imports=others,
            bind=bindings(bind),
            shadow_core=shadow_core,
            strict=strict,
        )
        return report(text, found)

    raise typer.Exit(_shown(paths, findings, output, fail_on))


def _shown(
    paths: list[str], findings: Callable[[str], Report], output: Format, fail_on: Severity
) -> int:
    """Show what is found in each file; return the exit code."""
    worst = Severity.INFO.rank + 1
    troubles: list[Trouble] = []

    def results() -> Iterator[tuple[str, Report]]:
        nonlocal worst
        for path in paths:
            try:
                result = findings(path)
            except Trouble as error:
                troubles.append(error)
                continue
            worst = min([worst, *(one.severity.rank for one in result.findings)])
            yield path, result

    render = formats.load(output.value)
    for chunk in render(results(), colour=colours(sys.stdout), summary=False):
        say(chunk)
    for one in troubles:
        say(f"pcsf: {one}", err=True)
    return 2 if troubles else int(worst <= fail_on.rank)


@app.command("export")
def _export(
    *,
    to: Annotated[Form, typer.Option("--to", help="What to write.", show_default=False)],
    layout: Annotated[Layout, typer.Option(help="Which layouts to admit.")] = Layout.any,
) -> None:
    """Write the capsule's grammar for other tools.

    Under llguidance, lark, gbnf, regex and abnf a writer cannot break a rule
    that a grammar can hold: caps, tokens, spaces, dates, layout. What remains
    is the size, the stamp's values, and that SEED is one sentence.
    """
    from pcsf_lark.export import export  # noqa: PLC0415 - for this command alone

    say(export(to.value, layout.value).rstrip("\n"))
