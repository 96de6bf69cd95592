"""Grammar to GBNF, the notation of llama.cpp, to constrain a model's output.

Laws: character by character, one rule for one ABNF rule, the start rule under
the name `root`; counts are kept as `{m,n}`. Left recursion is refused, since
readers of GBNF go down from the top.
"""

from collections.abc import Iterable

from attrs import evolve

from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.lower import letter
from pcsf_lark.abnf.expressions.regex_text import count
from pcsf_lark.abnf.imports import rename
from pcsf_lark.abnf.inspecting.analysis import analyse
from pcsf_lark.abnf.model import Grammar
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
    Rule,
    key,
)
from pcsf_lark.abnf.problems import AbnfError, problem

__all__ = ["to_gbnf"]

_ROOT = "root"
# llama.cpp begins at `root`; llguidance calls that rule `start`.
_RESERVED = (_ROOT, "start")


def to_gbnf(grammar: Grammar, start: str) -> str:
    """Return the grammar as GBNF. Raises AbnfError for left recursion and unusable names."""
    facts = analyse(grammar, start)
    if facts.left_recursive:
        message = "GBNF cannot have left recursion"
        mend = "write the rule as a repetition"
        found = [grammar[name] for name in sorted(facts.left_recursive)]
        raise AbnfError(
            [problem(rule.at, rule.name, "left-recursion", message, mend) for rule in found]
        )
    first, rules = _apart(key(start), grammar.reachable(start))
    lines = [] if first == _ROOT else [f"{_ROOT} ::= {first}"]
    lines += [f"{rule.key} ::= {_choice(rule.definition)}" for rule in rules]
    return "\n".join(lines) + "\n"


def _apart(first: str, rules: tuple[Rule, ...]) -> tuple[str, tuple[Rule, ...]]:
    """Return the start and the rules, those renamed that have a name which readers need."""
    taken = {_ROOT, *(rule.key for rule in rules)}
    names: dict[str, str] = {}
    for name in taken & set(_RESERVED) - ({_ROOT} if first == _ROOT else set()):
        number = 2
        while f"{name}-{number}" in taken:
            number += 1
        names[name] = f"{name}-{number}"
    return names.get(first, first), tuple(
        evolve(rule, name=names.get(rule.key, rule.name), definition=rename(rule.definition, names))
        for rule in rules
    )


def _choice(node: Node) -> str:
    if isinstance(node, Alternation):
        return " | ".join(map(_row, node.items))
    return _row(node)


def _row(node: Node) -> str:
    items = node.items if isinstance(node, Concatenation) else (node,)
    return " ".join(map(_item, items))


def _item(node: Node) -> str:
    match node:
        case Reference(name) | Prose(name):
            return key(name.strip())
        case Literal(text, exact):
            if exact or not any(char.isascii() and char.isalpha() for char in text):
                return _string(map(ord, text))
            return " ".join(_class(letter(char, case_sensitive=False).set) for char in text)
        case NumVal(points):
            return _string(points)
        case NumRange(first, last):
            return _class(CharSet.span(first, last))
        case Option(item):
            return f"({_choice(item)})?"
        case Repetition(item, least, most):
            inner = _item(item)
            single = isinstance(item, Reference | Prose | NumRange)
            return (inner if single else f"({_choice(item)})") + count(least, most)
        case Concatenation() | Alternation():
            return f"({_choice(node)})"


def _string(points: Iterable[int]) -> str:
    return '"' + "".join(_char(point, '"') for point in points) + '"'


def _class(chars: CharSet) -> str:
    ranges = (
        _char(first, "[]^-") + (f"-{_char(last, '[]^-')}" if last > first else "")
        for first, last in chars.ranges
    )
    return f"[{''.join(ranges)}]"


def _char(point: int, special: str) -> str:
    """Return a code point in a string or class, where these are special."""
    char = chr(point)
    if char == "\n":
        return "\\n"
    if 0x20 <= point < 0x7F and char not in special and char != "\\":
        return char
    if point <= 0xFF:
        return f"\\x{point:02X}"
    return f"\\u{point:04X}" if point <= 0xFFFF else f"\\U{point:08X}"
