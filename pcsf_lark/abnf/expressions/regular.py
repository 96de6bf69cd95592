"""Rules that can be written out without references, in bounded size and depth.

Laws: a rule that recurs, or leads to one that does, is never written out; nor
is one that would become larger or deeper than the limits.
"""

from collections.abc import Iterable, Mapping

from attrs import frozen

from pcsf_lark.abnf.expressions.expr import Alt, Call, Expr, Mark, Rep, Seq, parts
from pcsf_lark.abnf.expressions.lower import substitute
from pcsf_lark.abnf.inspecting.order import callees_first, calls

__all__ = ["MAX_DEPTH", "Written", "is_right_linear", "write_out", "written_out"]

#: What is written out is walked by recursion.
MAX_DEPTH = 100


@frozen
class Written:
    """An expression without calls, how many expressions it holds, and how deep they are nested."""

    expr: Expr
    size: int
    depth: int


def written_out(
    rules: Mapping[str, Expr], limit: int, order: Iterable[str] = ()
) -> Mapping[str, Written]:
    """Return the rules that can be written out in bounded size, without calls.

    `order` has callees before callers, where that is known.
    """
    known: dict[str, Written] = {}
    for name in order or callees_first(rules):
        found = write_out(rules[name], known, limit)
        if found is not None:
            known[name] = found
    return known


def write_out(expr: Expr, known: Mapping[str, Written], limit: int) -> Written | None:
    """Return the expression with its calls replaced, or None where that cannot be done."""
    waiting, total, deepest = [(expr, 1)], 0, 0
    called: dict[str, Expr] = {}
    while waiting:
        current, level = waiting.pop()
        if isinstance(current, Call):
            if current.rule not in known:
                return None
            called[current.rule] = known[current.rule].expr
            total += known[current.rule].size
            level += known[current.rule].depth
        else:
            total += 1
            waiting.extend((part, level + 1) for part in parts(current))
        deepest = max(deepest, level)
        if total >= limit or deepest > MAX_DEPTH:
            return None
    return Written(substitute(expr, called), total, deepest)


def is_right_linear(expr: Expr) -> bool:
    """Tell whether nothing ever follows a call, so that no place to return to need be kept."""
    match expr:
        case Seq(items) if items:
            return not any(map(calls, items[:-1])) and is_right_linear(items[-1])
        case Alt(items):
            return all(map(is_right_linear, items))
        case Rep(item):
            return is_right_linear(item) if expr.max == 1 else not calls(item)
        case Mark(_, item):
            return is_right_linear(item)
        case _:
            return True
