"""Nullable, FIRST and FOLLOW as fixed points over the expressions of rules.

Laws: sets are sets of characters, with `END` for the end of the text; they
only grow until nothing changes, so every grammar is answered.
FOLLOW is found when it is first asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from pcsf_lark.abnf.expressions.charset import END, CharSet
from pcsf_lark.abnf.expressions.expr import Alt, Call, Chars, Expr, Mark, Rep, Seq
from pcsf_lark.abnf.expressions.lower import lower_rule
from pcsf_lark.abnf.inspecting.order import callees_first, calls
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import key

__all__ = ["Facts", "Reach"]

_NONE = CharSet(())


class Reach:
    """The rules that some rules of a grammar lead to, with their expressions and the facts.

    Whoever has several questions asks one of these, so that nothing is found out twice.
    """

    def __init__(self, grammar: Grammar, starts: Iterable[str]) -> None:
        self.starts = tuple(starts)
        self.rules = grammar.reachable(*self.starts)
        self.exprs: Mapping[str, Expr] = {rule.key: lower_rule(rule) for rule in self.rules}

    @cached_property
    def facts(self) -> "Facts":
        """What is true of the rules; each name in them must stand for a rule."""
        return Facts(self.exprs, map(key, self.starts))


class Facts:
    """Nullable, first and follow of a set of rules, given as expressions by key.

    `rules` hold every rule that is called; `starts` may end with the text.
    `order` has callees before callers; `circular` if a rule leads back to itself.
    """

    def __init__(self, rules: Mapping[str, Expr], starts: Iterable[str]) -> None:
        self._rules = rules
        self.order = callees_first(rules)
        self.circular = _circular(rules, self.order)
        self._starts = tuple(starts)
        self.nullable: set[str] = set()
        self.first: dict[str, CharSet] = dict.fromkeys(rules, _NONE)
        self._settle(self._grow_nullable)
        self._settle(self._grow_first)
        # From here on what an expression begins with stays as it is.
        self._found: dict[int, CharSet] = {}

    @cached_property
    def follow(self) -> Mapping[str, CharSet]:
        """What may come after a match of each rule."""
        found = dict.fromkeys(self._rules, _NONE)
        found.update(dict.fromkeys(self._starts, CharSet.of(END)))
        self._settle(lambda: self._grow_follow(found))
        return found

    def _settle(self, grow: Callable[[], bool]) -> None:
        """Grow until nothing is new; once is enough where no rule leads back to itself."""
        while grow() and self.circular:
            pass

    def _grow_nullable(self) -> bool:
        before = len(self.nullable)
        for name in self.order:
            if self.is_nullable(self._rules[name]):
                self.nullable.add(name)
        return len(self.nullable) != before

    def _grow_first(self) -> bool:
        before = dict(self.first)
        for name in self.order:
            self.first[name] = self.firsts(self._rules[name])
        return self.first != before

    def _grow_follow(self, found: dict[str, CharSet]) -> bool:
        before = dict(found)
        for name in reversed(self.order):
            for part, after in self.walk(self._rules[name], found[name]):
                if isinstance(part, Call):
                    found[part.rule] |= after
        return found != before

    def is_nullable(self, expr: Expr) -> bool:
        """Tell whether the expression matches the empty string."""
        match expr:
            case Chars():
                return False
            case Seq(items):
                return all(map(self.is_nullable, items))
            case Alt(items):
                return any(map(self.is_nullable, items))
            case Rep(item, least, _):
                return least == 0 or self.is_nullable(item)
            case Call(rule):
                return rule in self.nullable
            case Mark(_, item):
                return self.is_nullable(item)

    def firsts(self, expr: Expr) -> CharSet:
        """Return the characters a match of the expression may begin with."""
        match expr:
            case Chars(chars):
                return chars
            case Seq(items):
                return self._firsts_of_row(items, _NONE)
            case Alt(items):
                return CharSet(pair for item in items for pair in self.firsts(item).ranges)
            case Rep(item) | Mark(_, item):
                return self.firsts(item)
            case Call(rule):
                return self.first[rule]

    def _firsts_of_row(self, items: Iterable[Expr], after: CharSet) -> CharSet:
        """Return what a row begins with, followed by `after`."""
        found = _NONE
        for item in items:
            found |= self.firsts(item)
            if not self.is_nullable(item):
                return found
        return found | after

    def begins(self, expr: Expr) -> CharSet:
        """Return `firsts` of a rule or a part of one, found once."""
        begins = self._found.get(id(expr))
        if begins is None:
            begins = self._found[id(expr)] = self.firsts(expr)
        return begins

    def walk(self, expr: Expr, after: CharSet) -> Iterator[tuple[Expr, CharSet]]:
        """Yield each part with the characters that may come after it."""
        waiting = [(expr, after)]
        while waiting:
            current, then = waiting.pop()
            yield current, then
            match current:
                case Seq(items):
                    for item in reversed(items):
                        waiting.append((item, then))
                        begins = self.begins(item)
                        then = begins | then if self.is_nullable(item) else begins
                case Alt(items):
                    waiting.extend((item, then) for item in items)
                case Rep(item):
                    again = self.begins(item) if current.max != 1 else _NONE
                    waiting.append((item, then | again))
                case Mark(_, item):
                    waiting.append((item, then))
                case _:
                    pass


def _circular(rules: Mapping[str, Expr], order: Iterable[str]) -> bool:
    """Tell whether a rule leads back to itself, by an order of callees before callers."""
    before: set[str] = set()
    for name in order:
        if not before.issuperset(calls(rules[name])):
            return True
        before.add(name)
    return False
