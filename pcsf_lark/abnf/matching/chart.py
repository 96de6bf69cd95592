"""Any grammar's yes or no: an Earley chart over what remains to be matched.

Laws: the answer is exact for every ABNF grammar, left recursion and empty
rules included, and no parser is built first. Rules that match no text are
left out, so that they promise nothing. A state is the expression still
to be matched, so counts are not unrolled. Every set of the chart holds viable
prefixes only: where the chart ends, no text that begins so far is in the
language. Work is counted, and ends at a limit with an error.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from pcsf_lark.abnf.expressions.charset import EMPTY_SET, CharSet
from pcsf_lark.abnf.expressions.expr import Chars, Expr, size
from pcsf_lark.abnf.expressions.lower import lower_rule, substitute, unusable
from pcsf_lark.abnf.expressions.regular import is_right_linear, written_out
from pcsf_lark.abnf.inspecting.facts import Facts
from pcsf_lark.abnf.inspecting.order import calls
from pcsf_lark.abnf.inspecting.productive import pruned, unending
from pcsf_lark.abnf.matching.states import EffortLimitError, States
from pcsf_lark.abnf.matching.subsets import Subsets, WorkLimitError
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import key
from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["MAX_SYMBOLS", "MAX_WORK", "Chart", "MatchError", "Recogniser"]

# Items of one chart; a second or two of work for each million.
MAX_WORK = 3_000_000
# Symbols of the rules in reach; RFC 9051, one of the largest in print, has some 5,000.
MAX_SYMBOLS = 50_000
# How large a rule may be written out.
_MAX_FUSED = 2_000

_Item: TypeAlias = tuple[str, int, int]


class MatchError(ValueError):
    """A text is not in a grammar's language.

    `offset` is the first character after which nothing helps, or the length of
    a text that ends too soon; `expected` are the characters that could stand there.
    """

    def __init__(self, text: str, offset: int, expected: CharSet) -> None:
        self.offset: int = offset
        self.expected: CharSet = expected
        found = f"{text[offset]!a}" if offset < len(text) else "the end of the text"
        hint = _told(expected) if expected else "nothing more"
        super().__init__(f"at offset {offset}: found {found}, expected {hint}")


def _told(chars: CharSet) -> str:
    shown = [
        ascii(chr(first)) if first == last else f"{chr(first)!a} to {chr(last)!a}"
        for first, last in chars.ranges[:8]
    ]
    return ", ".join(shown) + (", ..." if len(chars.ranges) > len(shown) else "")


@frozen
class Chart:
    """What was found of a text.

    `ends`: rule key and start to the ends of its matches there, each with the
    rank at which it was found. `offset`: how far the text is viable;
    `expected`: what could come there. `accepted`: whether the start rule
    matches all of it.
    """

    accepted: bool
    offset: int
    expected: CharSet
    ends: Mapping[tuple[str, int], Mapping[int, int]]


class Recogniser:
    """Makes charts of a grammar from one start rule. Raises AbnfError as `analyse` does.

    With `fused`, rules that do not recur are written out where they are used:
    the verdict comes sooner, and the chart tells of fewer rules.
    """

    def __init__(self, grammar: Grammar, start: str, *, fused: bool = False) -> None:
        faults = unusable(grammar, [start])
        if faults:
            raise AbnfError(faults)
        self.start = key(start)
        rules = {rule.key: lower_rule(rule) for rule in grammar.reachable(start)}
        amount = sum(size(expr, MAX_SYMBOLS + 1) for expr in rules.values())
        if amount > MAX_SYMBOLS:
            message = f"the rules hold more than {MAX_SYMBOLS:,} symbols"
            mend = "split the grammar, or start from a rule that leads to less of it"
            raise AbnfError([problem(None, start, "size-limit", message, mend)])
        live = _live(rules, self.start)
        bodies = _fused(live, self.start) if fused else live
        self.states = States(bodies, Facts(live, [self.start]))
        regular = all(map(is_right_linear, bodies.values()))
        self._subsets = Subsets(self.states, self.start) if regular else None

    def chart(self, text: str, *, limit: int = MAX_WORK) -> Chart:
        """Return the chart of a text. Raises AbnfError when it takes too much work."""
        self.states.bound = self.states.effort + limit
        run = _Run(self, text, limit)
        try:
            return run.chart()
        except EffortLimitError:
            raise AbnfError([_too_much(run.at, limit)]) from None

    def accepts(self, text: str, *, limit: int = MAX_WORK) -> bool:
        """Tell whether the start rule matches the whole text. Raises AbnfError as `chart` does."""
        if self._subsets is None:
            return self.chart(text, limit=limit).accepted
        try:
            return self._subsets.accepts(text, limit)
        except WorkLimitError as error:
            raise AbnfError([_too_much(error.offset, limit)]) from None


def _live(rules: Mapping[str, Expr], start: str) -> Mapping[str, Expr]:
    """Return the rules without those that match no text; a start among them has no way at all."""
    dead = unending(rules)
    if not dead:
        return rules
    if start in dead:
        return {start: Chars(EMPTY_SET)}
    found = {name: pruned(expr, dead) for name, expr in rules.items() if name not in dead}
    return {name: expr for name, expr in found.items() if expr is not None}


def _fused(rules: Mapping[str, Expr], start: str) -> Mapping[str, Expr]:
    """Return the start rule, and the rules it calls, with all others written out in them."""
    known = {name: one.expr for name, one in written_out(rules, _MAX_FUSED).items()}
    if start in known:
        return {start: known[start]}
    bodies = {name: expr for name, expr in rules.items() if name not in known}
    called = sum(
        size(known[name], _MAX_FUSED)
        for expr in bodies.values()
        for name in calls(expr)
        if name in known
    )
    if called > MAX_SYMBOLS:
        return rules
    return {name: substitute(expr, known) for name, expr in bodies.items()}


class _Run:
    """One text's chart in the making."""

    def __init__(self, maker: Recogniser, text: str, limit: int) -> None:
        self._maker, self._text, self._left = maker, text, limit
        self._limit = limit
        self._ends: dict[tuple[str, int], dict[int, int]] = {}
        self._waiting: dict[tuple[str, int], list[_Item]] = {}
        self._rank = 0
        self.at = 0

    def chart(self) -> Chart:
        maker = self._maker
        now: dict[_Item, None] = {(maker.start, maker.states.body(maker.start), 0): None}
        for at in range(len(self._text) + 1):
            self.at = at
            items = self._close(now, at)
            if at == len(self._text):
                break
            then = self._scan(items, self._text[at])
            if not then:
                return self._chart(at, items, accepted=False)
            now = then
        accepted = len(self._text) in self._ends.get((maker.start, 0), ())
        return self._chart(len(self._text), items, accepted=accepted)

    def _chart(self, at: int, items: Sequence[_Item], *, accepted: bool) -> Chart:
        ranges = [
            pair
            for number in {item[1] for item in items}
            for chars, _ in self._maker.states.state(number).chars
            for pair in chars.ranges
        ]
        return Chart(accepted, at, CharSet(ranges), self._ends)

    def _scan(self, items: Sequence[_Item], char: str) -> dict[_Item, None]:
        after = self._maker.states.after
        return {
            (rule, then, origin): None
            for rule, number, origin in items
            for then in after(number, char)
        }

    def _close(self, seen: dict[_Item, None], at: int) -> list[_Item]:
        """Add all that follows without a character: rules begun, and rules ended."""
        maker, items = self._maker, list(seen)
        work, effort = len(items), maker.states.effort
        for item in items:
            rule, number, origin = item
            state = maker.states.state(number)
            more: list[_Item] = []
            if state.done:
                more += self._ended(rule, origin, at)
            for callee, then in state.calls:
                waiters = self._waiting.get((callee, at))
                if waiters is None:
                    waiters = self._waiting[callee, at] = []
                    more.append((callee, maker.states.body(callee), at))
                waiters.append((rule, then, origin))
            work += len(more) + maker.states.effort - effort
            effort = maker.states.effort
            if work > self._left:
                raise AbnfError([_too_much(at, self._limit)])
            for new in more:
                if new not in seen:
                    seen[new] = None
                    items.append(new)
        self._left -= work
        return items

    def _ended(self, rule: str, origin: int, at: int) -> list[_Item]:
        ends = self._ends.setdefault((rule, origin), {})
        if at in ends:
            return []
        ends[at] = self._rank
        self._rank += 1
        return self._waiting.get((rule, origin), [])


def _too_much(at: int, limit: int) -> Problem:
    message = f"matching took more than {limit:,} steps, at offset {at} of the text"
    mend = (
        "rules that end with themselves, or may be read in many ways, cost that much: write them "
        "as repetitions, name lexical rules and use LALR, or match less text"
    )
    return problem(None, "", "work-limit", message, mend)
