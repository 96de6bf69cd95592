"""The order in which facts about rules settle soonest: what is called before what calls it.

Laws: every rule occurs once; only a call that closes a circle stands before
what it calls. Linear in the rules, without recursion.
"""

from collections.abc import Callable, Iterable, Mapping

from pcsf_lark.abnf.expressions.expr import Call, Expr, parts

__all__ = ["callees_first", "calls", "left_in_order"]


def calls(expr: Expr) -> list[str]:
    """Return the rules that an expression calls, each time it does, in order."""
    found: list[str] = []
    waiting = [expr]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Call):
            found.append(current.rule)
        else:
            waiting.extend(reversed(parts(current)))
    return found


def callees_first(rules: Mapping[str, Expr]) -> tuple[str, ...]:
    """Return the names of the rules, callees before callers."""
    return tuple(
        left_in_order(
            reversed(tuple(rules)),
            lambda name: (callee for callee in calls(rules[name]) if callee in rules),
        )
    )


def left_in_order(roots: Iterable[str], callees: Callable[[str], Iterable[str]]) -> list[str]:
    """Return the names in the order in which a depth-first search, last root first, leaves them."""
    order: list[str] = []
    entered: set[str] = set()
    waiting = [(name, False) for name in roots]
    while waiting:
        name, leaving = waiting.pop()
        if leaving:
            order.append(name)
        elif name not in entered:
            entered.add(name)
            waiting.append((name, True))
            waiting.extend((callee, False) for callee in callees(name))
    return order
