"""`pcsf grammar`: any ABNF checked and translated, and the capsule's grammar for other tools."""

from __future__ import annotations

import enum
import sys
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.cli.options import Format
from pcsf_lark.faces.cli.terminal import colours, say, show_report, trouble, usage_error
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.grammars import read_grammar, report
from pcsf_lark.report import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

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


class Target(enum.StrEnum):
    """What a grammar is translated to."""

    lark = "lark"
    regex = "regex"
    abnf = "abnf"


class Parser(enum.StrEnum):
    """Which of Lark's parsers the translation is for."""

    auto = "auto"
    lalr = "lalr"
    earley = "earley"


GrammarPath = Annotated[
    str, typer.Argument(metavar="FILE", help="An ABNF file, or - for standard input.")
]
Start = Annotated[
    str | None, typer.Option("--start", metavar="RULE", help="The start rule.", show_default=False)
]
Lexical = Annotated[
    list[str] | None,
    typer.Option(
        "--lexical", metavar="RULE,...", help="Rules that a lexer reads as one piece, for LALR."
    ),
]
Imports = Annotated[
    list[str] | None,
    typer.Option("--import", metavar="FILE", help="Another grammar whose rules are in scope."),
]
Bind = Annotated[
    list[str] | None,
    typer.Option(
        "--bind",
        metavar="PROSE=ELEMENTS",
        help="What a prose-val stands for, such as 'any char=%x20-7E'.",
    ),
]
ShadowCore = Annotated[
    bool, typer.Option("--shadow-core", help="Let the grammar define core rules anew.")
]


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
    """
    from pcsf_lark import abnf  # noqa: PLC0415 - the toolkit is for these commands alone

    text, others = _read(path, imports)
    try:
        grammar = abnf.load(
            text,
            imports=others,
            bind=_bindings(bind),
            shadow_core=shadow_core,
            repair=repair,
        )
        names = _names(lexical)
        for name in (*([start] if start else []), *names):
            if name not in grammar:
                usage_error(f"{path}: there is no rule {name!r}; {_rules_of(grammar)}")
        say(_written(grammar, start, names, to, parser).rstrip("\n"))
    except abnf.AbnfError as error:
        _refuse(path, text, error)


def _written(
    grammar: abnf.Grammar, start: str | None, names: list[str], to: Target, parser: Parser
) -> str:
    from pcsf_lark import abnf  # noqa: PLC0415 - likewise

    first = start or grammar.rules[0].name
    if to is Target.regex:
        return abnf.to_regex(grammar, first)
    if to is Target.abnf:
        return abnf.to_abnf(abnf.whole(grammar, first) if start else grammar)
    found = abnf.translate(grammar, first, names, parser.value)
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

    worst = Severity.INFO.rank + 1
    troubles: list[Trouble] = []

    def results() -> Iterator[tuple[str, Report]]:
        nonlocal worst
        for path in paths:
            try:
                text, others = _read(path, imports, raising=True)
            except Trouble as error:
                troubles.append(error)
                continue
            found = abnf.inspect(
                text,
                start=start or "",
                lexical=_names(lexical),
                imports=others,
                bind=_bindings(bind),
                shadow_core=shadow_core,
                strict=strict,
            )
            result = report(text, found)
            worst = min(worst, *(one.severity.rank for one in result.findings), worst)
            yield path, result

    render = formats.load(output.value)
    for chunk in render(results(), colour=colours(sys.stdout), summary=False):
        say(chunk)
    for one in troubles:
        say(f"pcsf: {one}", err=True)
    raise typer.Exit(2 if troubles else int(worst <= fail_on.rank))


class Form(enum.StrEnum):
    """What the capsule's grammar is exported to."""

    llguidance = "llguidance"
    lark = "lark"
    gbnf = "gbnf"
    regex = "regex"
    textmate = "textmate"
    abnf = "abnf"
    railroad = "railroad"


class Layout(enum.StrEnum):
    """Which layouts of capsules a grammar admits."""

    any = "any"
    spaced = "spaced"
    compact = "compact"


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


def _read(
    path: str, imports: list[str] | None, *, raising: bool = False
) -> tuple[str, list[abnf.Grammar]]:
    """Read a grammar and the ones it imports; what cannot be read ends the command."""
    from pcsf_lark import abnf  # noqa: PLC0415 - the toolkit is for these commands alone

    others: list[abnf.Grammar] = []
    try:
        text = read_grammar(path)
        for other in imports or []:
            theirs = read_grammar(other)
            try:
                # Imports see the ones before them, so that chains of documents load.
                others.append(abnf.read(theirs, imports=others))
            except abnf.AbnfError as error:
                _refuse(other, theirs, error)
    except Trouble as error:
        if raising:
            raise
        trouble(error)
    return text, others


def _refuse(path: str, text: str, error: abnf.AbnfError) -> NoReturn:
    show_report(path, report(text, error.problems), colour=colours(sys.stderr))
    raise typer.Exit(1) from None


def _names(lists: list[str] | None) -> list[str]:
    return [name.strip() for one in lists or [] for name in one.split(",") if name.strip()]


def _bindings(given: list[str] | None) -> dict[str, str]:
    found = {}
    for one in given or []:
        prose, equals, elements = one.partition("=")
        if not equals:
            usage_error(f"--bind {one!r}: write PROSE=ELEMENTS")
        found[prose.strip().removeprefix("<").removesuffix(">")] = elements.strip()
    return found


def _rules_of(grammar: abnf.Grammar) -> str:
    names = [rule.name for rule in grammar]
    return f"rules are {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}"
