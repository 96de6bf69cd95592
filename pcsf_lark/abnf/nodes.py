"""The nodes of an ABNF rule: what RFC 5234 and RFC 7405 can say, and no more.

Laws: nodes are frozen and compare by meaning, so where they stand (`at`) is no
part of equality. A group is not a node: an alternation inside a concatenation
needs its parentheses, and the writer puts them back. Code points are integers
0 to 0x10FFFF; the base they were written in is not kept.
"""

from collections.abc import Iterator
from typing import TypeAlias

from attrs import field, frozen

__all__ = [
    "Alternation",
    "Concatenation",
    "Literal",
    "Node",
    "NumRange",
    "NumVal",
    "Option",
    "Position",
    "Prose",
    "Reference",
    "Repetition",
    "Rule",
    "children",
    "key",
    "walk",
]


@frozen
class Position:
    """A place in ABNF text: line and column from 1, offset from 0, in characters.

    Attributes:
        line: From 1.
        column: From 1, in characters.
        offset: From 0, in characters.
    """

    line: int
    column: int
    offset: int


@frozen
class Alternation:
    """`a / b`: any one of the items (RFC 5234 §3.2).

    Attributes:
        items: The alternatives, in order.
        at: The place in the grammar's text, None for a node made by hand.
    """

    items: tuple["Node", ...]
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Concatenation:
    """`a b`: all items in order (RFC 5234 §3.1).

    Attributes:
        items: The parts, in order.
        at: The place in the grammar's text, None for a node made by hand.
    """

    items: tuple["Node", ...]
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Repetition:
    """`<min>*<max>item` (RFC 5234 §3.6, §3.7); `max` None means without end.

    Attributes:
        item: What is repeated.
        min: How often at least.
        at: The place in the grammar's text, None for a node made by hand.
    """

    item: "Node"
    min: int
    max: int | None
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Option:
    """`[item]` (RFC 5234 §3.8).

    Attributes:
        item: What may be left out.
        at: The place in the grammar's text, None for a node made by hand.
    """

    item: "Node"
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Literal:
    """A quoted string (RFC 5234 §2.3), case-sensitive when written `%s` (RFC 7405).

    Attributes:
        text: The string, without its quotes.
        case_sensitive: Whether it was written `%s`.
        at: The place in the grammar's text, None for a node made by hand.
    """

    text: str
    case_sensitive: bool = False
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class NumVal:
    """`%x0D.0A`: these code points in a row, exactly (RFC 5234 §2.3).

    Attributes:
        points: The code points.
        at: The place in the grammar's text, None for a node made by hand.
    """

    points: tuple[int, ...]
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class NumRange:
    """`%x30-39`: one code point of the inclusive range (RFC 5234 §3.4).

    Attributes:
        first: The lowest code point.
        last: The highest.
        at: The place in the grammar's text, None for a node made by hand.
    """

    first: int
    last: int
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Prose:
    """`<text>`: prose, or a rule name in angle brackets (RFC 5234 §4, §2.1).

    Attributes:
        text: What stands between the brackets.
        at: The place in the grammar's text, None for a node made by hand.
    """

    text: str
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


@frozen
class Reference:
    """A rule name, as written; names compare without regard to case.

    Attributes:
        name: The rule's name, as written here.
        at: The place in the grammar's text, None for a node made by hand.
    """

    name: str
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)


#: Any element of a definition.
Node: TypeAlias = (
    Alternation
    | Concatenation
    | Repetition
    | Option
    | Literal
    | NumVal
    | NumRange
    | Prose
    | Reference
)


@frozen
class Rule:
    """One rule: its name as first written, its whole definition (`=/` merged).

    `comments` are the comments on the rule's own lines, without `;`; they are
    carried by the writer but are no part of equality.

    Attributes:
        name: As first written.
        definition: What it stands for.
        at: The place in the grammar's text, None for a node made by hand.
    """

    name: str
    definition: Node
    comments: tuple[str, ...] = field(default=(), eq=False, kw_only=True)
    at: Position | None = field(default=None, eq=False, repr=False, kw_only=True)

    @property
    def key(self) -> str:
        """The name under which the rule is found."""
        return key(self.name)


def key(name: str) -> str:
    """Return the key of a rule name: names are case-insensitive (RFC 5234 §2.1)."""
    return name.lower()


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node, in order."""
    match node:
        case Alternation(items) | Concatenation(items):
            return items
        case Repetition(item) | Option(item):
            return (item,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes below it, in the order they are written."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(children(current)))
