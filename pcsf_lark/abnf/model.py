"""The grammar model: an ordered set of rules with the core rules in scope.

Laws: a grammar is a value; its own rules shadow those in scope, and every
name is looked up without regard to case.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from pcsf_lark.abnf.core import CORE_RULES
from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Literal,
    Node,
    NumRange,
    NumVal,
    Option,
    Position,
    Prose,
    Reference,
    Repetition,
    Rule,
    key,
    walk,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    from pcsf_lark.abnf.loading import Parser, Translation
    from pcsf_lark.abnf.matching.chart import Recogniser

__all__ = [
    "Alternation",
    "Concatenation",
    "Grammar",
    "Literal",
    "Node",
    "NumRange",
    "NumVal",
    "Option",
    "Position",
    "Prose",
    "Reference",
    "Repetition",
    "Rule",
    "target",
]


def _tuple(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    return tuple(rules)


@frozen
class Grammar:
    """Rules in the order written, and the rules in scope besides them.

    `rules`: the grammar's own; a name occurs once (ValueError otherwise).
    `scope`: further rules that may be referred to, by default RFC 5234 App. B.
    `start`: the rule that texts are matched from, by default the first one;
    `lexical`: rules that a lexer reads as one piece.
    """

    rules: tuple[Rule, ...] = field(converter=_tuple)
    scope: tuple[Rule, ...] = field(default=CORE_RULES, converter=_tuple, repr=False)
    start: str = field(default="", kw_only=True, eq=False)
    lexical: tuple[str, ...] = field(default=(), kw_only=True, eq=False)
    _index: Mapping[str, Rule] = field(init=False, eq=False, repr=False)

    @_index.default
    def _find_all(self) -> Mapping[str, Rule]:
        own = {rule.key: rule for rule in self.rules}
        if len(own) != len(self.rules):
            raise ValueError("a grammar defines each rule name once")
        return {rule.key: rule for rule in self.scope} | own

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and key(name) in self._index

    def __getitem__(self, name: str) -> Rule:
        return self._index[key(name)]

    def get(self, name: str) -> Rule | None:
        """Return the rule of that name, own or in scope, or None."""
        return self._index.get(key(name))

    def amend(self, rules: Iterable[Rule]) -> "Grammar":
        """Return this grammar with these rules put in: each replaces its namesake, or is added."""
        new = {rule.key: rule for rule in rules}
        kept = [new.pop(rule.key, rule) for rule in self.rules]
        return evolve(self, rules=(*kept, *new.values()))

    def reachable(self, *starts: str) -> tuple[Rule, ...]:
        """Return the rules the starts lead to, themselves first; unknown names are passed over."""
        found: dict[str, Rule] = {}
        waiting = list(reversed(starts))
        while waiting:
            rule = self.get(waiting.pop())
            if rule is None or rule.key in found:
                continue
            found[rule.key] = rule
            names = [target(node) for node in walk(rule.definition)]
            waiting.extend(name for name in reversed(names) if name is not None)
        return tuple(found.values())

    def match(self, text: str) -> bool:
        """Tell whether the start rule matches the whole text.

        Exact for every grammar. Raises AbnfError when the grammar cannot be
        used, or when the answer takes too much work, TypeError for what is no str.
        """
        _want_text(text)
        return self._judge.accepts(text)

    def tree(self, text: str) -> "Tree[Token]":
        """Return the text's tree: a Lark tree of the rules applied, the same for every parser.

        Raises MatchError, which says where and what was expected, when the
        text does not match, and AbnfError and TypeError as `match` does.
        """
        from pcsf_lark.abnf.matching.chart import MatchError  # noqa: PLC0415 - these modules need this one
        from pcsf_lark.abnf.matching.trees import build_tree  # noqa: PLC0415

        _want_text(text)
        chart = self._recogniser.chart(text)
        if not chart.accepted:
            raise MatchError(text, chart.offset, chart.expected)
        return build_tree(self, self._start, text, chart, self.lexical)

    def lark(self, parser: "Parser" = "auto") -> "Lark":
        """Return a Lark parser: `lalr` (strict), `earley`, or `auto`, LALR where that does.

        Raises AbnfError, in ABNF names, when LALR is asked for and does not do.
        """
        return self.translate(parser).build()

    def translate(self, parser: "Parser" = "auto") -> "Translation":
        """Return the grammar for Lark as text, with notes on why it is not LALR."""
        from pcsf_lark.abnf.loading import translate  # noqa: PLC0415 - it needs this module

        return translate(self, self._start, self.lexical, parser)

    @property
    def _start(self) -> str:
        return self.start or self.rules[0].name

    @cached_property
    def _recogniser(self) -> "Recogniser":
        from pcsf_lark.abnf.matching.chart import Recogniser  # noqa: PLC0415 - it needs this module

        return Recogniser(self, self._start)

    @cached_property
    def _judge(self) -> "Recogniser":
        from pcsf_lark.abnf.matching.chart import Recogniser  # noqa: PLC0415 - it needs this module

        return Recogniser(self, self._start, fused=True)


def _want_text(text: object) -> None:
    if not isinstance(text, str):
        kind = type(text).__name__
        hint = "; decode bytes first, as latin-1 where the grammar means octets"
        raise TypeError(f"a grammar matches str, not {kind}{hint}")


def target(node: Node) -> str | None:
    """Return the name a node refers to: a reference's, or a prose-val's text; else None.

    RFC 5234 §2.1 lets a rule name stand in angle brackets, so prose whose text
    is the name of a rule is a reference to it.
    """
    match node:
        case Reference(name):
            return name
        case Prose(text):
            return text.strip()
        case _:
            return None
