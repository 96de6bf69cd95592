"""How a lexer tells tokens apart: which is tried first, and what each must be followed by.

Laws: a decision is proven on the tokens' automata in every parser state where
it matters, with the tokens that may follow there. What cannot be proven is a
conflict, told in ABNF. Look-ahead and priority are given only where needed.
"""

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from attrs import frozen

from pcsf_lark.abnf.expressions.automaton import (
    SearchLimitError,
    clash,
    ends_apart,
    first,
    longest_first,
    overrun,
    row,
)
from pcsf_lark.abnf.expressions.charset import END, MAX_CODE_POINT, CharSet
from pcsf_lark.abnf.expressions.expr import Chars, Expr, Rep, alt, fixed_text, parts, seq
from pcsf_lark.abnf.lalr.table import END_OF_TEXT, Table
from pcsf_lark.abnf.lalr.tokens import TokenGrammar
from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["MAX_PAIRS", "Lexing", "decide"]

#: Pairs of tokens, in a parser state, that begin with the same character.
MAX_PAIRS = 10_000
_MAX_MEETINGS = 300_000

_END = Chars(CharSet.of(END))
_ANY = CharSet.span(0, MAX_CODE_POINT)


@frozen
class Lexing:
    """What the lexer needs besides the tokens themselves.

    `priority`: token to rank, higher is tried first; 0 where it does not matter.
    `ahead`: token to what must follow it, where it needs a look-ahead.
    `problems`: what no priority and no look-ahead can tell apart.
    """

    priority: Mapping[str, int]
    ahead: Mapping[str, Expr]
    problems: tuple[Problem, ...]


def decide(grammar: TokenGrammar, table: Table) -> Lexing:
    """Return how the tokens of a grammar are told apart in the states of its table."""
    judge = _Judge(grammar, table)
    groups = dict.fromkeys(tuple(judge.places(*accepted)) for accepted in table.accepts())
    for place in sorted({place for group in groups for place in group}, key=_by_name):
        judge.end(place)
    for pair in sorted(_pairs(groups), key=lambda pair: (_by_name(pair[0]), _by_name(pair[1]))):
        judge.pair(*pair)
    return Lexing(judge.ranks(), judge.ahead, tuple(judge.problems.values()))


@frozen(cache_hash=True)
class _Place:
    """A token in a parser state: its text, what it begins with, and what follows it there."""

    name: str
    expr: Expr
    after: Expr
    first: CharSet
    follow: tuple[str, ...]


def _by_name(place: _Place) -> tuple[str, tuple[str, ...]]:
    return place.name, place.follow


def _pairs(groups: Iterable[tuple[_Place, ...]]) -> frozenset[tuple[_Place, _Place]]:
    """Return the pairs that a lexer may have to tell apart. Raises AbnfError when they are many."""
    found: set[tuple[_Place, _Place]] = set()
    for number, (one, other) in enumerate(pair for group in groups for pair in _meeting(group)):
        if not _differ(one.expr, other.expr):
            found.add((one, other))
        if len(found) > MAX_PAIRS or number > _MAX_MEETINGS:
            message = f"more than {MAX_PAIRS:,} pairs of tokens begin alike"
            raise AbnfError([problem(None, "", "lalr-size", message, _MEND)])
    return frozenset(found)


def _meeting(places: Iterable[_Place]) -> Iterator[tuple[_Place, _Place]]:
    """Yield the pairs, in the order of their names, that may begin with the same character."""
    known = {place.name: place for place in places}
    spans = sorted((*span, place.name) for place in known.values() for span in place.first.ranges)
    open_: dict[str, int] = {}
    for start, end, name in spans:
        open_ = {other: last for other, last in open_.items() if last >= start}
        for other in open_:
            if other != name:
                yield known[min(name, other)], known[max(name, other)]
        open_[name] = max(end, open_.get(name, end))


def _differ(one: Expr, other: Expr) -> bool:
    """Tell whether both are of fixed length, and differ before either ends."""
    mine, theirs = row(one), row(other)
    if mine is None or theirs is None:
        return False
    return any(a != b and not a & b for a, b in zip(mine, theirs, strict=False))


class _Judge:
    """Collects decisions, place by place and pair by pair."""

    def __init__(self, grammar: TokenGrammar, table: Table) -> None:
        self.ahead: dict[str, Expr] = {}
        self.problems: dict[tuple[str, ...], Problem] = {}
        self._grammar = grammar
        self._order = {name: number for number, name in enumerate(grammar.tokens)}
        self._beats: dict[str, set[str]] = {}
        self._anywhere: dict[str, set[str]] = {}
        self._begun: dict[frozenset[str], Expr] = {}
        self._firsts: dict[str, CharSet] = {}
        self._table = table
        for state, names in table.accepts():
            for name in names:
                self._anywhere.setdefault(name, set()).update(table.follow(state, name))

    def places(self, state: int, names: Iterable[str]) -> Iterator[_Place]:
        """Yield the tokens of a state."""
        for name in names:
            follow = self._table.follow(state, name)
            expr = self._grammar.tokens[name]
            yield _Place(
                name, expr, self._beginnings(follow), self._first(name), tuple(sorted(follow))
            )

    def end(self, place: _Place) -> None:
        """Make sure that the engine ends the token where it ends."""
        try:
            sure = ends_apart(place.expr, _ANY) or longest_first(place.expr)
            if sure and overrun(place.expr, place.after) is None:
                return
            ahead = self._look_ahead(place.name)
            hidden = overrun(place.expr, place.after if sure else ahead, ahead=ahead)
        except SearchLimitError:
            hidden = _TOO_LARGE
        if hidden is not None:
            self._conflict("token-end", "what follows does not decide where it ends", hidden, place)

    def pair(self, one: _Place, other: _Place) -> None:
        """Make sure that of two tokens the right one is read."""
        try:
            if clash(one.expr, other.expr) is None:
                return
            ordered = sorted((one, other), key=self._rank)
            for winner, loser in (ordered, ordered[::-1]):
                if self._wins(winner, loser):
                    self._beats.setdefault(winner.name, set()).add(loser.name)
                    return
            text = clash(seq((one.expr, one.after)), seq((other.expr, other.after)))
        except SearchLimitError:
            text = _TOO_LARGE
        self._conflict("token-clash", "cannot be told apart", text, one, other)

    def _wins(self, winner: _Place, loser: _Place) -> bool:
        """Tell whether trying the winner first never hides the loser; note its look-ahead."""
        right = seq((loser.expr, loser.after))
        if clash(right, winner.expr) is None:
            return True
        if clash(right, seq((winner.expr, self._follow(winner.name)))) is not None:
            return False
        self._look_ahead(winner.name)
        return True

    def ranks(self) -> Mapping[str, int]:
        """Return priorities in which every winner is above its losers."""
        ranks: dict[str, int] = {}
        try:
            for name in TopologicalSorter(self._beats).static_order():
                losers = self._beats.get(name, ())
                ranks[name] = 1 + max((ranks[loser] for loser in losers), default=-1)
        except CycleError as error:
            names = [str(name) for name in error.args[1]]
            told = ", ".join(self._grammar.written[name] for name in dict.fromkeys(names))
            message = f"no order of trying tells these tokens apart: {told}"
            self.problems[tuple(names)] = problem(None, "", "token-order", message, _MEND)
        return ranks

    def _look_ahead(self, name: str) -> Expr:
        return self.ahead.setdefault(name, self._follow(name))

    def _follow(self, name: str) -> Expr:
        return self._beginnings(self._anywhere[name])

    def _beginnings(self, names: Iterable[str]) -> Expr:
        """Return how the texts of tokens begin: fixed ones whole, others' first characters."""
        wanted = frozenset(names)
        found = self._begun.get(wanted)
        if found is None:
            found = alt([self._beginning(name) for name in sorted(wanted)])
            self._begun[wanted] = found
        return found

    def _first(self, name: str) -> CharSet:
        found = self._firsts.get(name)
        if found is None:
            found = self._firsts[name] = first(self._grammar.tokens[name])
        return found

    def _beginning(self, name: str) -> Expr:
        if name == END_OF_TEXT:
            return _END
        expr = self._grammar.tokens[name]
        return Chars(self._first(name)) if fixed_text(expr) is None else expr

    def _rank(self, place: _Place) -> tuple[int, int]:
        """Order: fixed texts before finite sets of texts before the rest, then as they come."""
        kind = 0 if fixed_text(place.expr) is not None else 1 if _is_finite(place.expr) else 2
        return kind, self._order[place.name]

    def _conflict(self, kind: str, what: str, text: str | None, *places: _Place) -> None:
        """Note a conflict once for the tokens, with a text that shows it."""
        names = [self._grammar.written[place.name] for place in places]
        told = " and ".join(f"`{name}`" for name in names)
        shown = text if text == _TOO_LARGE else f"as in {text!a}"
        message = f"{told}: {what}, {shown}"
        found = problem(None, names[0], kind, message, _MEND)
        self.problems.setdefault((kind, *names), found)


_TOO_LARGE = "or it is too large to decide"
_MEND = "use the faithful grammar with Earley, or name other rules as tokens"


def _is_finite(expr: Expr) -> bool:
    waiting = [expr]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Rep) and current.max is None:
            return False
        waiting.extend(parts(current))
    return True
