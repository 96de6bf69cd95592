"""Grammar to the dialect of Lark that llguidance reads, to constrain a model's output.

Laws: the text has the grammar's language from its start rule, provided that a
lexer that always reads the longest token (among those the parser can go on
with) reads the named rules right; what is named is the caller's care. So name
words, not whole fields: a field would swallow the space of ` | `.
"""

from collections.abc import Iterable

from pcsf_lark.abnf.expressions.expr import EMPTY, Alt, Call, Expr, Rep, Seq, fixed_text
from pcsf_lark.abnf.expressions.lower import substitute
from pcsf_lark.abnf.expressions.regex_text import count
from pcsf_lark.abnf.lalr.tokens import tokenize
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.names import free_name, lark_name
from pcsf_lark.abnf.writing.to_regex import expr_regex

__all__ = ["to_llguidance"]

_START = "start"


def to_llguidance(grammar: Grammar, start: str, terminals: Iterable[str]) -> str:
    """Return the grammar; the rules named as terminals are read as one piece each.

    Raises AbnfError for unknown names and terminals that are not regular.
    """
    tokens = tokenize(grammar, [start], terminals)
    first = lark_name(start)
    lines = ["%llguidance {}", "", *([] if first == _START else [f"{_START}: {first}"])]
    rules = tokens.rules
    if first != _START and _START in rules:
        # The engine begins at the rule of that name, so another one must give it up.
        name = free_name(_START, {*rules, *tokens.tokens})
        known = {_START: Call(name)}
        rules = {known.get(one, Call(one)).rule: substitute(rules[one], known) for one in rules}
    lines += [f"{name}: {_choice(expr)}" for name, expr in rules.items()]
    lines.append("")
    lines += [f"{name}: {_terminal(expr)}" for name, expr in tokens.tokens.items()]
    return "\n".join(lines) + "\n"


def _terminal(expr: Expr) -> str:
    text = fixed_text(expr)
    if text is not None and text.isprintable() and not set('"\\') & set(text) and _exact(expr):
        return f'"{text}"'
    return f"/{expr_regex(expr, whole=False)}/"


def _exact(expr: Expr) -> bool:
    items = expr.items if isinstance(expr, Seq) else (expr,)
    return all(len(getattr(item, "set", ())) == 1 for item in items)


def _choice(expr: Expr) -> str:
    if isinstance(expr, Alt):
        return " | ".join(map(_row, expr.items))
    return _row(expr)


def _row(expr: Expr) -> str:
    items = expr.items if isinstance(expr, Seq) else (expr,)
    return " ".join(map(_item, items)) or '""'


def _item(expr: Expr) -> str:
    match expr:
        case Call(name):
            return name
        case Rep(item, least, most):
            inner = _item(item) if isinstance(item, Call) else f"({_choice(item)})"
            return inner + count(least, most)
        case Alt() | Seq() if expr != EMPTY:
            return f"({_choice(expr)})"
        case _:
            return '""'
