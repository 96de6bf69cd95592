"""Grammar to Lark, faithfully: character by character, for Lark's Earley parser.

Laws: every ABNF grammar has a faithful translation, left recursion and empty
rules included. An ABNF rule is a Lark rule of the same name (`lark_name`), so
trees speak ABNF. Nothing is inlined, reordered or factored.

Build it with `Lark(text, parser="earley", lexer="dynamic", ...)`: every
terminal matches texts of one length only, so the dynamic lexer misses nothing.
"""

from pcsf_lark.abnf.charset import CharSet
from pcsf_lark.abnf.lower import letter, unusable
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
from pcsf_lark.abnf.problems import AbnfError
from pcsf_lark.abnf.regex_text import char_class, char_text

__all__ = ["to_lark"]


def to_lark(grammar: Grammar, *starts: str) -> str:
    """Return the Lark grammar of all rules the starts lead to; by default, of all own rules.

    The Lark start symbols are `lark_name(start)`. Raises AbnfError for a name
    or a prose-val that stands for no rule.
    """
    starts = starts or tuple(rule.name for rule in grammar)
    faults = unusable(grammar, starts)
    if faults:
        raise AbnfError(faults)
    rules = grammar.reachable(*starts)
    return "".join(f"{lark_name(rule.name)}: {_choices(rule.definition)}\n" for rule in rules)


def _choices(node: Node) -> str:
    if isinstance(node, Alternation):
        return " | ".join(map(_row, node.items))
    return _row(node)


def _row(node: Node) -> str:
    """Return one alternative; an empty one is empty in Lark too."""
    items = node.items if isinstance(node, Concatenation) else (node,)
    return " ".join(filter(None, map(_element, items)))


def _element(node: Node) -> str:
    match node:
        case Reference(name) | Prose(name):
            return lark_name(name.strip())
        case Literal("") | NumVal(()):
            return ""
        case Literal(text, exact):
            letters = (letter(char, case_sensitive=exact) for char in text)
            return f"/{''.join(map(char_class, letters))}/"
        case NumVal(points):
            return f"/{''.join(map(char_text, points))}/"
        case NumRange(first, last):
            return f"/{char_class(CharSet.span(first, last))}/"
        case Option(item):
            return f"({_choices(item)})?" if _choices(item) else ""
        case Repetition(item, least, most):
            return _repeated(_choices(item), least, most)
        case _:
            return f"({_choices(node)})" if _choices(node) else ""


def _repeated(item: str, least: int, most: int | None) -> str:
    """Return a repetition; Lark has no open count, so `2*a` is two and then any number."""
    if not item or most == 0:
        return ""
    if most is not None:
        return f"({item})~{least}..{most}" if least != most else f"({item})~{least}"
    if least == 0:
        return f"({item})*"
    return f"({item})+" if least == 1 else f"({item})~{least} ({item})*"
