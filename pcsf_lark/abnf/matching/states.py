"""What remains to be matched of a rule, as numbered states with their next steps.

Laws: a state is an expression, the rest still to be matched, with rules in it;
equal rests are one state, and a state's steps are found once.
"""

from collections.abc import Iterator, Mapping
from math import inf

from attrs import frozen

from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.expr import EMPTY, Alt, Call, Chars, Expr, Mark, Rep, Seq, rep, seq
from pcsf_lark.abnf.inspecting.facts import Facts

__all__ = ["EffortLimitError", "State", "States"]

# So many items of a row are compared in the time that one step takes elsewhere.
_ROW = 4
# And one way to go on, where rules are written out in rules, takes as long as so many steps.
_WAY = 4


class EffortLimitError(Exception):
    """Making the states took more than `States.bound`."""


@frozen
class State:
    """What remains to be matched, and how it may go on; states go by number."""

    done: bool
    chars: tuple[tuple[CharSet, int], ...]
    calls: tuple[tuple[str, int], ...]


class States:
    """The states of these rules, made as they are needed."""

    def __init__(self, rules: Mapping[str, Expr], facts: Facts) -> None:
        self._facts = facts
        self._numbers: dict[Expr, int] = {}
        self._exprs: list[Expr] = []
        self._states: dict[int, State] = {}
        # What making states took: the ways found, and the rows looked through for equal ones.
        self.effort = 0
        self.bound: float = inf
        self._moves: dict[tuple[int, str], tuple[int, ...]] = {}
        self._bodies = {name: self._number(expr) for name, expr in rules.items()}

    def _number(self, expr: Expr) -> int:
        number = self._numbers.setdefault(expr, len(self._exprs))
        if number == len(self._exprs):
            self._exprs.append(expr)
        self.effort += len(expr.items) // _ROW if isinstance(expr, Seq) else 0
        return number

    def body(self, rule: str) -> int:
        """Return the state in which nothing of the rule is matched yet."""
        return self._bodies[rule]

    def state(self, number: int) -> State:
        """Return a state by its number."""
        found = self._states.get(number)
        if found is None:
            expr = self._exprs[number]
            steps = tuple(dict.fromkeys(self._steps(expr)))
            if self.effort > self.bound:
                raise EffortLimitError
            found = self._states[number] = State(
                self._facts.is_nullable(expr),
                tuple((on, self._number(then)) for on, then in steps if isinstance(on, CharSet)),
                tuple((on, self._number(then)) for on, then in steps if isinstance(on, str)),
            )
        return found

    def after(self, number: int, char: str) -> tuple[int, ...]:
        """Return the states that a character leads to."""
        found = self._moves.get((number, char))
        if found is None:
            point = ord(char)
            found = tuple(then for chars, then in self.state(number).chars if point in chars)
            self._moves[number, char] = found
        return found

    def _steps(self, expr: Expr) -> Iterator[tuple[CharSet | str, Expr]]:
        """Yield what may come first, a character or a rule, with what must follow it."""
        match expr:
            case Chars(chars):
                yield chars, EMPTY
            case Call(rule):
                yield rule, EMPTY
            case Seq(items):
                for index, item in enumerate(items):
                    rest = items[index + 1 :]
                    for on, then in self._steps(item):
                        self.effort += _WAY
                        yield on, seq((then, *rest))
                    if not self._facts.is_nullable(item):
                        return
            case Alt(items):
                for item in items:
                    yield from self._steps(item)
            case Rep(item, least, most):
                again = rep(item, max(least - 1, 0), None if most is None else most - 1)
                for on, then in self._steps(item):
                    self.effort += _WAY
                    yield on, seq((then, again))
            case Mark(_, item):
                yield from self._steps(item)
