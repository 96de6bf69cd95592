"""Which rules match any text at all.

Laws: a rule is productive when its definition has a way through that ends; the
answer is a fixed point. What is left of an expression when rules that never
end are taken out describes the same texts.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from pcsf_lark.abnf.expressions.expr import EMPTY, Alt, Call, Expr, Mark, Rep, Seq, alt, rep, seq
from pcsf_lark.abnf.expressions.lower import lower_rule
from pcsf_lark.abnf.inspecting.order import callees_first
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import Rule, key
from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["endless", "endless_of", "pruned", "refuse_endless", "unending"]


def endless(grammar: Grammar, *starts: str) -> tuple[Problem, ...]:
    """Return a problem for each own rule that matches no text, in the order of the text.

    With starts, rules in their reach alone; every name must be defined.
    """
    names = starts or tuple(rule.name for rule in grammar)
    reached = {rule.key: lower_rule(rule) for rule in grammar.reachable(*names)}
    return tuple(endless_of(grammar, reached))


def endless_of(
    rules: Iterable[Rule], exprs: Mapping[str, Expr], order: Iterable[str] = ()
) -> Iterator[Problem]:
    """Yield a problem for each of the rules that matches no text, with what they lead to given."""
    dead = unending(exprs, order)
    return (
        problem(
            rule.at,
            rule.name,
            "endless-rule",
            f"rule `{rule.name}` matches no text: it never comes to an end",
            "give it an alternative that does not lead back to it",
        )
        for rule in rules
        if rule.key in dead
    )


def refuse_endless(grammar: Grammar, *starts: str) -> None:
    """Raise AbnfError if one of the starts matches no text, telling all such rules in reach."""
    found = endless(grammar, *starts)
    if {key(one.rule) for one in found} & set(map(key, starts)):
        raise AbnfError(found)


def unending(rules: Mapping[str, Expr], order: Iterable[str] = ()) -> frozenset[str]:
    """Return the keys of the rules that match no text; every rule called must be there.

    `order` has callees before callers, where that is known.
    """
    ending: set[str] = set()
    waiting = list(order or callees_first(rules))
    while True:
        left = []
        for name in waiting:
            if _ends(rules[name], ending):
                ending.add(name)
            else:
                left.append(name)
        if len(left) == len(waiting):
            return frozenset(left)
        waiting = left


def _ends(expr: Expr, ending: set[str]) -> bool:
    match expr:
        case Seq(items):
            return all(_ends(item, ending) for item in items)
        case Alt(items):
            return any(_ends(item, ending) for item in items)
        case Rep(item, least, _):
            return least == 0 or _ends(item, ending)
        case Call(rule):
            return rule in ending
        case Mark(_, item):
            return _ends(item, ending)
        case _:
            return True


def pruned(expr: Expr, dead: Collection[str]) -> Expr | None:
    """Return the expression without calls of dead rules, or None when it matches nothing then."""
    match expr:
        case Call(rule):
            return None if rule in dead else expr
        case Seq(items):
            row = [pruned(item, dead) for item in items]
            live = [item for item in row if item is not None]
            return seq(live) if len(live) == len(row) else None
        case Alt(items):
            ways = [way for item in items if (way := pruned(item, dead)) is not None]
            return alt(ways) if ways else None
        case Rep(item, least, most):
            inner = pruned(item, dead)
            if inner is None:
                return EMPTY if least == 0 else None
            return rep(inner, least, most, expr.at)
        case Mark(name, item):
            inner = pruned(item, dead)
            return None if inner is None else Mark(name, inner)
        case _:
            return expr
