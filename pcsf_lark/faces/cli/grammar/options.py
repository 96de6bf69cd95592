"""Arguments and options of `pcsf grammar`, and the files and bindings they name."""

from __future__ import annotations

import enum
import sys
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from attrs import frozen

from pcsf_lark.faces.cli.terminal import colours, show_report, usage_error

if TYPE_CHECKING:
    from pcsf_lark import abnf

__all__ = [
    "Form",
    "GrammarPath",
    "Layout",
    "Parser",
    "Reading",
    "Target",
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


@frozen
class Reading:
    """How a grammar is read, beside the file it is in."""

    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="RULE",
            help="Begin with this rule. Default: all rules, the first one being the start.",
            show_default=False,
        ),
    ] = None
    lexical: Annotated[
        list[str] | None,
        typer.Option(
            "--lexical",
            metavar="RULE,...",
            help="Let a lexer read these rules as one piece each, for LALR. Default: none.",
            show_default=False,
        ),
    ] = None
    imports: Annotated[
        list[str] | None,
        typer.Option(
            "--import",
            metavar="FILE",
            help="Take the rules of this grammar, too; repeat it for several. Default: none.",
            show_default=False,
        ),
    ] = None
    bind: Annotated[
        list[str] | None,
        typer.Option(
            "--bind",
            metavar="PROSE=ELEMENTS",
            help="Say what a prose-val (words in <...>) stands for, such as 'any char=%x20-7E'. Default: nothing.",
            show_default=False,
        ),
    ] = None
    shadow_core: Annotated[
        bool,
        typer.Option(
            "--shadow-core", help="Let the grammar define core rules, such as ALPHA, anew."
        ),
    ] = False

    @property
    def named(self) -> dict[str, Any]:
        """What readers of grammars take by these names."""
        return {"bind": _bindings(self.bind), "shadow_core": self.shadow_core}


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
    from pcsf_lark import abnf
    from pcsf_lark.faces.grammars import read_grammar

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
    from pcsf_lark.faces.grammars import report

    show_report(path, report(text, error.problems), colour=colours(sys.stderr))
    raise typer.Exit(1) from None


def names(lists: list[str] | None) -> list[str]:
    """The names of comma-separated lists."""
    return [name.strip() for one in lists or [] for name in one.split(",") if name.strip()]


def _bindings(given: list[str] | None) -> dict[str, str]:
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
