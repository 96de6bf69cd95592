"""Rules over names, written as Lark rules of bounded size.

Laws: a call stands for a Lark rule, a terminal, or a regexp between slashes.
Lark multiplies out every choice inside a row, so a row whose choices multiply
to more than `MAX_ROWS` gets its choices as rules of their own, and so does
what is counted. Their names
begin with an underscore and end in a number: Lark leaves them out of the
tree, and no ABNF name is mapped to one.
"""

from collections.abc import Collection, Mapping
from math import prod

from pcsf_lark.abnf.expressions.expr import EMPTY, Alt, Call, Expr, Rep, Seq, parts
from pcsf_lark.abnf.inspecting.order import calls

__all__ = ["MAX_ROWS", "MAX_SETTLING", "lark_rule", "settling", "weight"]

#: How many steps Lark may take to find what rules begin with and are followed by: two seconds.
MAX_SETTLING = 700_000

MAX_ROWS = 32
# From here on Lark writes a counted repetition as a tree of rules by itself.
_LARK_SPLITS_FROM = 50
# Wider ranges of counts than this get rules of their own.
_LARK_WRITES_OUT = 3


def lark_rule(name: str, expr: Expr) -> str:
    """Return the rule, with the rules it needs for itself, one a line."""
    writer = _Writer(name)
    lines = [f"{name}: {writer.choice(expr)[0]}"]
    return "".join(f"{line.rstrip()}\n" for line in (*lines, *writer.helpers))


def weight(expr: Expr) -> int:
    """Return about how many symbols Lark's rules for an expression hold."""
    match expr:
        case Rep(item, least, most):
            return weight(item) + min(max(least, most or 0), _LARK_SPLITS_FROM)
        case _:
            return 1 + sum(map(weight, parts(expr)))


def settling(rules: Mapping[str, Expr]) -> int:
    """Return about how many steps Lark takes to settle FIRST and FOLLOW, or more than the limit.

    Lark goes over all rules in their order until nothing changes, and for each
    row over all its stretches.
    """
    edges = {name: [one for one in calls(expr) if one in rules] for name, expr in rules.items()}
    callers: dict[str, list[str]] = {name: [] for name in rules}
    for name, callees in edges.items():
        for callee in callees:
            callers[callee].append(name)
    each = sum(weight(expr) + _stretches(expr) for expr in rules.values())
    rounds, most = 0, MAX_SETTLING // each + 1
    for ways in (edges, callers):
        rounds += _rounds(ways, most)
    return rounds * each


def _stretches(expr: Expr) -> int:
    """Return what Lark's three loops over each row of an expression come to, in steps."""
    total, waiting = 0, [expr]
    while waiting:
        current = waiting.pop()
        total += len(current.items) ** 3 // 60 if isinstance(current, Seq) else 0
        waiting.extend(parts(current))
    return total


def _rounds(ways: Mapping[str, Collection[str]], most: int) -> int:
    """Return how many rounds in the order of the names it takes until all reach what they can."""
    reach = {name: 1 << number for number, name in enumerate(ways)}
    for number in range(1, most + 1):
        changed = False
        for name, others in ways.items():
            found = reach[name]
            for other in others:
                found |= reach[other]
            changed |= found != reach[name]
            reach[name] = found
        if not changed:
            return number
    return most


class _Writer:
    """Writes one rule; each method returns a text and how many rows Lark makes of it."""

    def __init__(self, name: str) -> None:
        self.helpers: list[str] = []
        self._name = name

    def choice(self, expr: Expr) -> tuple[str, int]:
        """Render where an alternation may stand bare."""
        if not isinstance(expr, Alt):
            return self._row(expr)
        found = [self._row(item) for item in expr.items]
        return " | ".join(text for text, _ in found), sum(rows for _, rows in found)

    def _row(self, expr: Expr) -> tuple[str, int]:
        items = expr.items if isinstance(expr, Seq) else (expr,)
        found = [self._item(item) for item in items]
        if prod(rows for _, rows in found) > MAX_ROWS:
            found = [self._helper(text) if rows > 1 else (text, 1) for text, rows in found]
        return " ".join(text for text, _ in found), prod(rows for _, rows in found)

    def _item(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case Call(name):
                return name, 1
            case Rep(item, least, most):
                return self._repeated(item, least, most)
            case Alt() | Seq() if expr != EMPTY:
                text, rows = self.choice(expr)
                return f"({text})", rows
            case _:
                raise ValueError(f"{expr!r} is no part of a rule over names")

    def _repeated(self, item: Expr, least: int, most: int | None) -> tuple[str, int]:
        """Return a repetition; Lark has no open count, so `2*a` is two and then any number."""
        text, rows = self.choice(item)
        if not isinstance(item, Call) and (least, most) not in ((0, 1), (0, None), (1, None)):
            # Counts within counts would multiply.
            text, rows = self._helper(text)
        elif not isinstance(item, Call):
            text = f"({text})"
        if (least, most) == (0, 1):
            return f"{text}?", rows + 1
        if most is None and least < 2:
            return (f"{text}+", 1) if least else (f"{text}*", 2)
        if most is None:
            return f"{text}~{least} {text}*", 2
        if least == most:
            return f"{text}~{least}", 1
        if most - least > _LARK_WRITES_OUT and most < _LARK_SPLITS_FROM:
            return self._up_to(text, least, most), 2
        return f"{text}~{least}..{most}", most - least + 1 if most < _LARK_SPLITS_FROM else 2

    def _up_to(self, text: str, least: int, most: int) -> str:
        """Return a count as a chain of rules: Lark would write out a row for each number."""
        name = self._helper(text)[0]
        for _ in range(most - least - 1):
            name = self._helper(f"{text} {name}?")[0]
        return f"{text}~{least} {name}?" if least else f"{name}?"

    def _helper(self, text: str) -> tuple[str, int]:
        """Put a choice into a rule of its own."""
        name = f"_{self._name}_{len(self.helpers) + 1}"
        self.helpers.append(f"{name}: {text}")
        return name, 1
