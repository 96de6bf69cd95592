"""Character-level expressions: what a grammar means, without how it is written.

Laws: the constructors `seq`, `alt` and `rep` keep expressions in one form, so
that many expressions of the same language are equal values: literals are
character classes in a row, neighbouring classes of an alternation are one,
nothing is nested that need not be. Order of alternatives has no meaning here.
Every expression describes at least one string.
"""

from collections.abc import Iterable
from typing import TypeAlias

from attrs import field, frozen

from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.nodes import Position

__all__ = [
    "EMPTY",
    "Alt",
    "Call",
    "Chars",
    "Expr",
    "Mark",
    "Rep",
    "Seq",
    "alt",
    "depth",
    "fixed_text",
    "parts",
    "rep",
    "seq",
    "size",
]


@frozen(cache_hash=True)
class Chars:
    """One code point of a set."""

    set: CharSet


@frozen(cache_hash=True)
class Seq:
    """All items in order; none at all is the empty string."""

    items: tuple["Expr", ...]


@frozen(cache_hash=True)
class Alt:
    """Any one of at least two items."""

    items: tuple["Expr", ...]


@frozen(cache_hash=True)
class Rep:
    """`min` to `max` times the item; None is without end. `at` is where it is written."""

    item: "Expr"
    min: int
    max: int | None
    at: Position | None = field(default=None, eq=False, repr=False)


@frozen(cache_hash=True)
class Call:
    """A rule, by its key."""

    rule: str


@frozen(cache_hash=True)
class Mark:
    """An item whose text is to be captured under a name."""

    name: str
    item: "Expr"


Expr: TypeAlias = Chars | Seq | Alt | Rep | Call | Mark

EMPTY = Seq(())


def seq(items: Iterable[Expr]) -> Expr:
    """Return the items in a row."""
    flat: list[Expr] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Seq) else (item,))
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def alt(items: Iterable[Expr]) -> Expr:
    """Return the choice of the items; an empty string among them makes the rest optional."""
    flat: dict[Expr, None] = {}
    for item in items:
        flat.update(dict.fromkeys(item.items if isinstance(item, Alt) else (item,)))
    optional = EMPTY in flat
    flat.pop(EMPTY, None)
    classes = [item for item in flat if isinstance(item, Chars)]
    if len(classes) > 1:
        merged = Chars(CharSet(pair for item in classes for pair in item.set.ranges))
        kept = [merged if item is classes[0] else item for item in flat]
        flat = dict.fromkeys(i for i in kept if i is merged or not isinstance(i, Chars))
    choice = tuple(flat)
    if not choice:
        return EMPTY
    one = choice[0] if len(choice) == 1 else Alt(choice)
    return rep(one, 0, 1) if optional else one


def rep(item: Expr, least: int, most: int | None, at: Position | None = None) -> Expr:
    """Return the repeated item; nested stars and options collapse into one."""
    if item == EMPTY or most == 0:
        return EMPTY
    if (least, most) == (1, 1):
        return item
    if isinstance(item, Rep) and (item.min, item.max) == (0, 1) and least in (0, 1):
        return rep(item.item, 0, most, at)
    if isinstance(item, Rep) and item.max is None and item.min <= 1 and least <= 1:
        return rep(item.item, min(item.min, least), None, at)
    return Rep(item, least, most, at)


def parts(expr: Expr) -> tuple[Expr, ...]:
    """Return the expressions directly below this one."""
    match expr:
        case Seq(items) | Alt(items):
            return items
        case Rep(item) | Mark(_, item):
            return (item,)
        case _:
            return ()


def size(expr: Expr, limit: int) -> int:
    """Return the number of expressions below and including this one, counted up to the limit."""
    count, waiting = 0, [expr]
    while waiting and count < limit:
        count += 1
        waiting.extend(parts(waiting.pop()))
    return count


def depth(expr: Expr) -> int:
    """Return how deep the expression is nested."""
    deepest, waiting = 0, [(expr, 1)]
    while waiting:
        current, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((part, level + 1) for part in parts(current))
    return deepest


def fixed_text(expr: Expr) -> str | None:
    """Return the only string of the expression, cases of ASCII letters apart; else None."""
    items = expr.items if isinstance(expr, Seq) else (expr,)
    if not all(isinstance(item, Chars) and _is_fixed(item.set) for item in items):
        return None
    return "".join(chr(item.set.first()) for item in items if isinstance(item, Chars))


def _is_fixed(chars: CharSet) -> bool:
    """Tell whether the set is one character, or both cases of one ASCII letter."""
    match chars.ranges:
        case ((one, last),):
            return one == last
        case ((upper, one), (lower, other)):
            # Case is ASCII's alone: to Unicode, the Kelvin sign is a `k` as well.
            return upper == one == lower - 32 == other - 32 and 0x41 <= upper <= 0x5A
        case _:
            return False
