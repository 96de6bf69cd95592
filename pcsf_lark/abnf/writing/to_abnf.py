"""Grammar to ABNF text in one normal form (RFC 5234, RFC 7405).

Laws: `read(to_abnf(grammar))` equals the grammar. Code points are written in
hexadecimal, case-sensitive strings with `%s`, others plain; `=/` is merged;
rules keep their order and names. A line is broken only between elements.
"""

from collections.abc import Iterator

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
)

__all__ = ["node_abnf", "to_abnf"]

_WIDTH = 78


def to_abnf(grammar: Grammar, *, newline: str = "\n") -> str:
    """Return the grammar's own rules as ABNF text; RFC 5234 asks for CRLF as `newline`."""
    width = max((len(rule.name) for rule in grammar), default=0)
    return "".join(line + newline for rule in grammar for line in _rule(rule, width))


def _rule(rule: Rule, width: int) -> Iterator[str]:
    margin = " " * (width + 3)
    line = f"{rule.name.ljust(width)} = "
    for piece in _pieces(rule.definition):
        if len(line) + len(piece) > _WIDTH and line.strip() and len(line) > len(margin):
            yield line.rstrip()
            line = margin
        line += piece + " "
    notes = list(rule.comments)
    if len(notes) == 1 and len(line) + len(notes[0]) + 2 <= _WIDTH:
        line += f"; {notes.pop()}"
    yield line.rstrip()
    for note in notes:
        yield f"{margin}; {note}"


def _pieces(node: Node) -> Iterator[str]:
    """Yield the parts of a definition between which a line may be broken."""
    match node:
        case Alternation(items):
            for number, item in enumerate(items):
                pieces = [_inner(item)] if isinstance(item, Alternation) else list(_pieces(item))
                yield from ([f"/ {pieces[0]}", *pieces[1:]] if number else pieces)
        case Concatenation(items):
            yield from map(_inner, items)
        case _:
            yield _inner(node)


def node_abnf(node: Node) -> str:
    """Return a definition on one line."""
    return " ".join(_pieces(node))


def _inner(node: Node) -> str:
    """Return a node as an element of a concatenation."""
    match node:
        case Alternation() | Concatenation():
            return f"({node_abnf(node)})"
        case Option(item):
            return f"[{node_abnf(item)}]"
        case Repetition(item, least, most):
            element = f"({_inner(item)})" if isinstance(item, Repetition) else _inner(item)
            return _count(least, most) + element
        case Literal(text, exact):
            return f'%s"{text}"' if exact else f'"{text}"'
        case NumVal(points):
            return "%x" + ".".join(f"{point:02X}" for point in points)
        case NumRange(first, last):
            return f"%x{first:02X}-{last:02X}"
        case Prose(text):
            return f"<{text}>"
        case Reference(name):
            return name


def _count(least: int, most: int | None) -> str:
    if least == most:
        return str(least)
    return f"{least or ''}*{'' if most is None else most}"
