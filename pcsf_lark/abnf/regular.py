"""Rules that can be written out without references, in bounded size.

Laws: a rule that recurs, or leads to one that does, is never written out; nor
is one that would become larger than the limit.
"""

from collections.abc import Mapping

from pcsf_lark.abnf.expr import Alt, Call, Expr, Mark, Rep, Seq, size
from pcsf_lark.abnf.lower import substitute

__all__ = ["write_out", "written_out"]


def written_out(rules: Mapping[str, Expr], limit: int) -> Mapping[str, Expr]:
    """Return the rules that can be written out in bounded size, without calls."""
    known: dict[str, Expr] = {}
    waiting = list(rules)
    while True:
        left = []
        for name in waiting:
            expr = write_out(rules[name], known, limit)
            if expr is None:
                left.append(name)
            else:
                known[name] = expr
        if len(left) == len(waiting):
            return known
        waiting = left


def write_out(expr: Expr, known: Mapping[str, Expr], limit: int) -> Expr | None:
    """Return the expression with its calls replaced, or None where that cannot be done."""
    waiting, total = [expr], 0
    while waiting:
        match waiting.pop():
            case Call(rule):
                if rule not in known:
                    return None
                total += size(known[rule], limit)
            case Seq(items) | Alt(items):
                total += 1
                waiting.extend(items)
            case Rep(item) | Mark(_, item):
                total += 1
                waiting.append(item)
            case _:
                total += 1
        if total >= limit:
            return None
    return substitute(expr, known)
