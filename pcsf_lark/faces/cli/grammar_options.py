"""Arguments and options of `pcsf grammar`, and the files and bindings they name."""

from __future__ import annotations

import enum
import sys
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from pcsf_lark.faces.cli.terminal import colours, show_report, usage_error
from pcsf_lark.faces.grammars import read_grammar, report

if TYPE_CHECKING:
    from pcsf_lark import abnf

__all__ = [
    "Bind",
    "Form",
    "GrammarPath",
    "Imports",
    "Layout",
    "Lexical",
    "Parser",
    "ShadowCore",
    "Start",
    "Target",
    "bindings",
    "names",
    "read",
    "refuse",
    "rules_of",
]


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


def read(path: str, imports: list[str] | None) -> tuple[str, list[abnf.Grammar]]:
    """Read a grammar and the ones it imports; raises Trouble. A faulty import ends the command."""
    from pcsf_lark import abnf  # noqa: PLC0415 - the toolkit is for these commands alone

    others: list[abnf.Grammar] = []
    for other in imports or []:
        theirs = read_grammar(other)
        try:
            # Imports see the ones before them, so that chains of documents load.
            others.append(abnf.read(theirs, imports=others))
        except abnf.AbnfError as error:
            refuse(other, theirs, error)
    return read_grammar(path), others


def refuse(path: str, text: str, error: abnf.AbnfError) -> NoReturn:
    """Say on stderr what is wrong with a grammar, and exit 1."""
    show_report(path, report(text, error.problems), colour=colours(sys.stderr))
    raise typer.Exit(1) from None


def names(lists: list[str] | None) -> list[str]:
    """The names of comma-separated lists."""
    return [name.strip() for one in lists or [] for name in one.split(",") if name.strip()]


def bindings(given: list[str] | None) -> dict[str, str]:
    """What `--bind` binds: text of prose to ABNF elements."""
    found = {}
    for one in given or []:
        prose, equals, elements = one.partition("=")
        if not equals:
            usage_error(f"--bind {one!r}: write PROSE=ELEMENTS")
        found[prose.strip().removeprefix("<").removesuffix(">")] = elements.strip()
    return found


def rules_of(grammar: abnf.Grammar) -> str:
    """The first rules of a grammar, for a hint."""
    found = [rule.name for rule in grammar]
    return f"rules are {', '.join(found[:12])}{', ...' if len(found) > 12 else ''}"
