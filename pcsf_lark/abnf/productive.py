"""Which rules match any text at all.

Laws: a rule is productive when its definition has a way through that ends; the
answer is a fixed point, in time linear in the grammar for each round.
"""

from pcsf_lark.abnf.expr import Alt, Call, Chars, Expr, Mark, Rep, Seq
from pcsf_lark.abnf.lower import lower_rule
from pcsf_lark.abnf.model import Grammar

__all__ = ["endless"]


def endless(grammar: Grammar) -> frozenset[str]:
    """Return the keys of the own rules that match no text; every name must be defined."""
    rules = {
        rule.key: lower_rule(rule) for rule in grammar.reachable(*(one.name for one in grammar))
    }
    ending: set[str] = set()
    while True:
        more = {name for name in rules.keys() - ending if _ends(rules[name], ending)}
        if not more:
            break
        ending |= more
    return frozenset(rule.key for rule in grammar if rule.key not in ending)


def _ends(expr: Expr, ending: set[str]) -> bool:
    match expr:
        case Chars():
            return True
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
