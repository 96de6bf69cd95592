"""A grammar ready for use: loaded from text, matched, parsed, translated.

Laws: everything wrong is told at once, as `AbnfError`, before anything is
built; what is built is built once. LALR is strict or not at all: where the
grammar is not LALR(1), `auto` takes Earley and says why in ABNF names.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import evolve, field, frozen

from pcsf_lark.abnf.expressions.lower import inline, unusable
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.names import lark_name
from pcsf_lark.abnf.problems import AbnfError, Problem, problem
from pcsf_lark.abnf.reading.reader import read
from pcsf_lark.abnf.writing.to_lalr import to_lalr
from pcsf_lark.abnf.writing.to_lark import to_lark

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["Parser", "Translation", "load", "ready", "translate"]

Parser: TypeAlias = Literal["auto", "lalr", "earley"]

# Why LALR may not do though the grammar is sound; all else is the caller's to mend.
_CONFLICTS = frozenset(
    {
        "lalr",
        "lalr-size",
        "reduce-reduce",
        "shift-reduce",
        "token-clash",
        "token-end",
        "token-order",
    }
)


@frozen
class Translation:
    """A grammar for Lark, and how to build it.

    `text` is the Lark grammar, `start` its start rule, `parser` what it was
    written for (`lalr` or `earley`); `notes` say why it is not LALR.
    """

    text: str = field(repr=False)
    start: str
    parser: str
    notes: tuple[Problem, ...] = ()

    def build(self) -> "Lark":
        """Return the parser. Raises AbnfError when Lark cannot hold the grammar."""
        from lark import Lark  # noqa: PLC0415 - translating to text needs no lark

        lexer = "contextual" if self.parser == "lalr" else "dynamic"
        try:
            return Lark(
                self.text,
                parser=self.parser,
                lexer=lexer,
                start=self.start,
                maybe_placeholders=False,
                propagate_positions=True,
            )
        except RecursionError:
            message = "rules lead on deeper than Lark can follow from here"
            mend = "write chains of rules as fewer ones, or build it where less is on the stack"
            raise AbnfError([problem(None, "", "size-limit", message, mend)]) from None


def load(
    text: str,
    *,
    start: str = "",
    lexical: Iterable[str] = (),
    imports: Iterable[Grammar | str] = (),
    bind: Mapping[str, str] | None = None,
    shadow_core: bool = False,
    repair: bool = False,
) -> Grammar:
    """Return the grammar of an ABNF text, ready to match and to parse from `start`.

    `start`: the start rule, by default the first. `lexical`: rules that a
    lexer reads as one piece, for LALR. `imports`: grammars (or their texts)
    that the text refers to; a text sees the ones before it. `bind`: what prose stands for, as ABNF elements.
    `shadow_core`: let the text define core rules anew. `repair`: drop rule
    lines that define nothing but what they already mean (`8HEXLOW = ...`).
    Raises AbnfError with all problems.

    >>> from pcsf_lark import abnf
    >>> greeting = abnf.load('greeting = "hi" SP 1*DIGIT')
    >>> greeting.match("HI 42"), greeting.match("hi")
    (True, False)
    >>> greeting.tree("hi there")
    Traceback (most recent call last):
        ...
    pcsf_lark.abnf.matching.chart.MatchError: at offset 3: found 't', expected '0' to '9'
    """
    others: list[Grammar] = []
    for one in imports:
        # Imports see the ones before them, so that chains of documents load.
        others.append(
            one
            if isinstance(one, Grammar)
            else read(one, imports=tuple(others), shadow_core=shadow_core)
        )
    grammar = read(text, imports=others, bind=bind, shadow_core=shadow_core, repair=repair)
    return ready(grammar, start, lexical)


def ready(grammar: Grammar, start: str = "", lexical: Iterable[str] = ()) -> Grammar:
    """Return the grammar with its start and lexical rules set. Raises AbnfError as `load` does."""
    lexical = tuple(lexical)
    if not grammar.rules:
        raise AbnfError([problem(None, "", "no-rules", "the text defines no rule", "write one")])
    start = start or grammar.rules[0].name
    faults = unusable(grammar, (start, *lexical))
    if faults:
        raise AbnfError(faults)
    for name in lexical:
        inline(grammar, name)
    return evolve(grammar, start=start, lexical=lexical)


def translate(grammar: Grammar, start: str, lexical: Iterable[str], parser: Parser) -> Translation:
    """Return the grammar for Lark.

    Raises AbnfError when LALR is asked for and does not do, ValueError for an unknown
    ``parser``.

    >>> from pcsf_lark import abnf
    >>> greeting = abnf.load('greeting = "hi" SP 1*DIGIT')
    >>> made = abnf.translate(greeting, "greeting", ["DIGIT"], "auto")
    >>> made.parser, made.build().parse("hi 42").data == "greeting"
    ('lalr', True)
    """
    if parser not in ("auto", "lalr", "earley"):
        raise ValueError(f"unknown parser {parser!r}; known are auto, lalr, earley")
    notes: tuple[Problem, ...] = ()
    if parser != "earley":
        try:
            return Translation(to_lalr(grammar, [start], lexical), lark_name(start), "lalr")
        except AbnfError as error:
            if parser == "lalr" or any(one.kind not in _CONFLICTS for one in error.problems):
                raise
            notes = tuple(evolve(one, severity="note", help=_FALLEN_BACK) for one in error.problems)
    return Translation(to_lark(grammar, start), lark_name(start), "earley", notes)


_FALLEN_BACK = "Earley is used instead"
