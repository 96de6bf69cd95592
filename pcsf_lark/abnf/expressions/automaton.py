"""Expressions as automata: what may come next, and whether two languages can collide.

Laws: a state is an expression, the rest still to be matched (partial
derivatives after Antimirov), so nothing is built before it is needed and
counts are not unrolled. Every search ends within its limit of pairs (long rows
count for more than one) or raises `SearchLimitError`. Rows of characters are
compared without a search. Expressions hold no calls here; marks are transparent.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.expr import EMPTY, Alt, Call, Chars, Expr, Mark, Rep, Seq, rep, seq

__all__ = [
    "MAX_STATES",
    "SearchLimitError",
    "clash",
    "common",
    "ends_apart",
    "first",
    "is_deterministic",
    "longest_first",
    "matches",
    "nullable",
    "overrun",
    "row",
    "starts_with",
    "steps",
]

MAX_STATES = 20_000
# So many items of a row are compared in the time that one pair takes elsewhere.
_ROW = 20
_CACHE = 50_000

Step = tuple[CharSet, Expr]


class SearchLimitError(Exception):
    """A question about a language was too large to answer."""


@lru_cache(_CACHE)
def nullable(expr: Expr) -> bool:
    """Tell whether the expression matches the empty string."""
    match expr:
        case Chars():
            return False
        case Seq(items):
            return all(map(nullable, items))
        case Alt(items):
            return any(map(nullable, items))
        case Rep(item, least, _):
            return least == 0 or nullable(item)
        case Mark(_, item):
            return nullable(item)
        case Call(rule):
            raise ValueError(f"call of {rule} in an automaton")


@lru_cache(_CACHE)
def steps(expr: Expr) -> tuple[Step, ...]:
    """Return each set of characters that may come first, with what must follow it."""
    found: dict[Step, None] = {}
    match expr:
        case Chars(chars):
            found[chars, EMPTY] = None
        case Seq(items):
            for number, item in enumerate(items):
                rest = items[number + 1 :]
                found.update({(chars, seq((then, *rest))): None for chars, then in steps(item)})
                if not nullable(item):
                    break
        case Alt(items):
            found.update({step: None for item in items for step in steps(item)})
        case Rep(item, least, most):
            again = rep(item, max(least - 1, 0), None if most is None else most - 1)
            found.update({(chars, seq((then, again))): None for chars, then in steps(item)})
        case Mark(_, item):
            return steps(item)
        case Call(rule):
            raise ValueError(f"call of {rule} in an automaton")
    return tuple(found)


def first(expr: Expr) -> CharSet:
    """Return the characters a non-empty match may begin with."""
    return CharSet(pair for chars, _ in steps(expr) for pair in chars.ranges)


def matches(expr: Expr, text: str) -> bool:
    """Tell whether the expression matches the whole text; in time linear in the text."""
    states = {expr}
    for char in text:
        point = ord(char)
        states = {then for state in states for chars, then in steps(state) if point in chars}
    return any(map(nullable, states))


_Pair = tuple[Expr, Expr]


def _search(
    start: Iterable[_Pair], found: Callable[[Expr, Expr], bool], limit: int = MAX_STATES
) -> str | None:
    """Walk both sides over the same text; return the shortest text after which `found` holds."""
    seen: dict[_Pair, tuple[_Pair, int] | None] = dict.fromkeys(start)
    spent = 0
    waiting = list(seen)
    for pair in waiting:
        if found(*pair):
            return "".join(reversed(list(_trail(seen, pair))))
        for after, point in _moves(pair):
            if after not in seen:
                spent += 1 + (_length(after[0]) + _length(after[1])) // _ROW
                if spent >= limit:
                    raise SearchLimitError
                seen[after] = (pair, point)
                waiting.append(after)
    return None


def _moves(pair: _Pair) -> Iterator[tuple[_Pair, int]]:
    for left, left_then in steps(pair[0]):
        for right, right_then in steps(pair[1]):
            both = left & right
            if both:
                yield (left_then, right_then), both.ranges[-1][0]


def _trail(seen: dict[_Pair, tuple[_Pair, int] | None], pair: _Pair) -> Iterator[str]:
    step = seen[pair]
    while step:
        before, point = step
        yield chr(point) if point >= 0 else ""
        step = seen[before]


def _length(expr: Expr) -> int:
    return len(expr.items) if isinstance(expr, Seq) else 1


@lru_cache(_CACHE)
def row(expr: Expr) -> tuple[CharSet, ...] | None:
    """Return the characters of a text of fixed length, one set for each; or None."""
    items = expr.items if isinstance(expr, Seq) else (expr,)
    found = tuple(item.set for item in items if isinstance(item, Chars))
    return found if len(found) == len(items) else None


def clash(left: Expr, right: Expr) -> str | None:
    """Return a text that a match of one side begins with and the other side matches; or None."""
    one, other = row(left), row(right)
    if one is not None and other is not None:
        both = [a & b for a, b in zip(one, other, strict=False)]
        return "".join(chr(max(chars.first(), 0)) for chars in both) if all(both) else None
    return _search([(left, right)], lambda a, b: nullable(a) or nullable(b))


def common(left: Expr, right: Expr, limit: int = MAX_STATES) -> str | None:
    """Return the shortest text that both sides match, or None."""
    return _search([(left, right)], lambda a, b: nullable(a) and nullable(b), limit)


def starts_with(text: Expr, head: Expr, limit: int = MAX_STATES) -> bool:
    """Tell whether some match of `text` begins with a match of `head`."""
    return _search([(text, head)], lambda _, rest: nullable(rest), limit) is not None


def ends_apart(expr: Expr, next_chars: CharSet, limit: int = MAX_STATES) -> bool:
    """Tell whether a text holds at most one match of `expr` that a next character follows."""
    if row(expr) is not None:
        return True

    def goes_on(done: Expr, rest: Expr) -> bool:
        return nullable(done) and bool(first(rest) & next_chars)

    return _search([(expr, expr)], goes_on, limit) is None


def overrun(expr: Expr, after: Expr, *, ahead: Expr | None = None) -> str | None:
    """Return a text on which a longer match of `expr` hides the right one; or None.

    The right match is followed by a match of `after`. With `ahead`, only
    longer matches that are followed by a match of `ahead` count.
    """
    if row(expr) is not None:
        return None
    starts: list[_Pair] = []

    def note_end(done: Expr, rest: Expr) -> bool:
        if nullable(done):
            for chars, then in steps(rest):
                longer = (Chars(chars), then) if ahead is None else (Chars(chars), then, ahead)
                starts.append((after, seq(longer)))
        return False

    _search([(expr, expr)], note_end)
    return _search(starts, lambda a, b: nullable(a) or nullable(b))


@lru_cache(_CACHE)
def is_deterministic(expr: Expr) -> bool:
    """Tell whether at every point the next character decides how matching goes on."""
    seen: set[Expr] = {expr}
    waiting = [expr]
    spent = 0
    while waiting:
        moves = steps(waiting.pop())
        taken = CharSet(())
        for chars, then in moves:
            if taken & chars:
                return False
            taken |= chars
            if then not in seen:
                spent += 1 + _length(then) // _ROW
                if spent >= MAX_STATES:
                    raise SearchLimitError
                seen.add(then)
                waiting.append(then)
    return True


def longest_first(expr: Expr) -> bool:
    """Tell whether a backtracking engine tries the longest match of the expression first.

    True is a proof: deterministic, no alternative but an optional tail is
    empty, and no repetition may go round without a character.
    """
    waiting = [expr]
    while waiting:
        match waiting.pop():
            case Seq(items):
                waiting.extend(items)
            case Alt(items):
                if any(map(nullable, items)):
                    return False
                waiting.extend(items)
            case Rep(item):
                if nullable(item):
                    return False
                waiting.append(item)
            case Mark(_, item):
                waiting.append(item)
            case _:
                pass
    return is_deterministic(expr)
