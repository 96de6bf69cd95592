"""Grammar to Lark, faithfully: character by character, for Lark's Earley parser.

Laws: every ABNF grammar has a faithful translation, left recursion and empty
rules included. An ABNF rule is a Lark rule of the same name (`lark_name`), so
trees speak ABNF. No rule is inlined or dropped.

Build it with `Lark(text, parser="earley", lexer="dynamic", start=...)`: every
terminal matches texts of one length only, so the dynamic lexer misses nothing.
"""

from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.expr import EMPTY, Call, Expr, alt, rep, seq
from pcsf_lark.abnf.expressions.lower import letter, unusable
from pcsf_lark.abnf.expressions.regex_text import char_class, char_text
from pcsf_lark.abnf.lalr.lark_rules import MAX_SETTLING, lark_rule, settling, weight
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.names import lark_name
from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Literal,
    Node,
    NumRange,
    NumVal,
    Option,
    Prose,
    Reference,
    Repetition,
)
from pcsf_lark.abnf.problems import AbnfError, problem

__all__ = ["MAX_SYMBOLS", "to_lark"]

# Lark reads that many symbols in some ten seconds.
MAX_SYMBOLS = 40_000


def to_lark(grammar: Grammar, *starts: str) -> str:
    """Return the Lark grammar of all rules the starts lead to; by default, of all own rules.

    The Lark start symbols are `lark_name(start)`. Raises AbnfError for a name
    or a prose-val that stands for no rule, and for a grammar beyond `MAX_SYMBOLS`.
    """
    starts = starts or tuple(rule.name for rule in grammar)
    faults = unusable(grammar, starts)
    if faults:
        raise AbnfError(faults)
    rules = {
        lark_name(rule.name): _over_names(rule.definition) for rule in grammar.reachable(*starts)
    }
    size = sum(map(weight, rules.values()))
    if size > MAX_SYMBOLS:
        message = f"the rules hold {size:,} symbols, which is too many for Lark"
        mend = f"at most {MAX_SYMBOLS:,} are translated: split the grammar"
        raise AbnfError([problem(None, "", "size-limit", message, mend)])
    if settling(rules) > MAX_SETTLING:
        message = "the rules lead on to each other too far, or their rows are too long, for Lark"
        mend = "write chains of rules, and long rows, as fewer and shorter ones"
        raise AbnfError([problem(None, "", "size-limit", message, mend)])
    return "".join(lark_rule(name, expr) for name, expr in rules.items())


def _over_names(node: Node) -> Expr:
    """Return a definition over Lark rules and regexps."""
    match node:
        case Reference(name) | Prose(name):
            return Call(lark_name(name.strip()))
        case Literal(text, exact):
            return _regexp("".join(char_class(letter(c, case_sensitive=exact)) for c in text))
        case NumVal(points):
            return _regexp("".join(map(char_text, points)))
        case NumRange(first, last):
            return _regexp(char_class(CharSet.span(first, last)))
        case Concatenation(items):
            return seq(tuple(map(_over_names, items)))
        case Alternation(items):
            return alt(tuple(map(_over_names, items)))
        case Option(item):
            return rep(_over_names(item), 0, 1)
        case Repetition(item, least, most):
            return rep(_over_names(item), least, most)


def _regexp(text: str) -> Expr:
    return Call(f"/{text}/") if text else EMPTY
