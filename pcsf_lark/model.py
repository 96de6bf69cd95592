"""The capsule as a tree: one frozen class for each production that carries text.

Laws of this file: values as written (a string stays a string, ``hops=007``
stays ``007``); equality is the decision D21: it ignores spans, layout, final
LF, size and the INTEGRITY values, and compares ``hops`` as an integer. Each
line-borne node knows its ``span``; ``field_span`` derives that of one field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from attrs import field, frozen

from pcsf_lark.source import Span
from pcsf_lark.spec import LAYERS, SEP
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Capsule",
    "Chain",
    "Entry",
    "Integrity",
    "InternalEntry",
    "LoopEntry",
    "Meta",
    "NegativeEntry",
    "Node",
    "RelationEntry",
    "Seed",
    "SkeletonEntry",
]


@frozen(eq=False, repr=False)
class Node:
    """A line of a capsule.

    ``at`` is where its line starts in the text it was read from, as byte offset
    and line number; None for a node made by hand. ``span`` follows from it,
    since a node is the whole of its line.

    Equality and repr stand here once for all nodes: written out for each class
    they would be the larger part of this module's import.

    Attributes:
        at: Byte offset and number of the line; None for a node made by hand.
        PREFIX: What the line begins with.
        FIELDS: The names of its fields, in written order.
        BETWEEN: What stands between two fields.
    """

    at: tuple[int, int] | None = field(default=None, kw_only=True)

    PREFIX: ClassVar[str] = ""
    FIELDS: ClassVar[tuple[str, ...]] = ()
    BETWEEN: ClassVar[tuple[str, ...]] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((type(self), self._identity()))

    def __repr__(self) -> str:
        members = (f"{n}={v!r}" for n, v in zip(self.FIELDS, self.values, strict=True))
        return f"{type(self).__name__}({', '.join(members)})"

    def _identity(self) -> tuple[str, ...]:
        """What two equal nodes share."""
        return self.values

    @property
    def values(self) -> tuple[str, ...]:
        """The fields' texts in written order."""
        return tuple(getattr(self, name) for name in self.FIELDS)

    @property
    def line(self) -> str:
        """The line as written, without its LF."""
        first, *rest = self.values
        parts = [self.PREFIX, first]
        for between, value in zip(self.BETWEEN, rest, strict=True):
            parts += (between, value)
        return "".join(parts)

    @property
    def span(self) -> Span | None:
        """The place of the whole line."""
        return self._span(0, len(self.line))

    def field_span(self, name: str) -> Span | None:
        """The place of one field; raises KeyError for a name the node has not."""
        if name not in self.FIELDS:
            raise KeyError(name)
        start = len(self.PREFIX)
        size = 0
        for known, value, between in zip(
            self.FIELDS, self.values, (*self.BETWEEN, ""), strict=True
        ):
            size = len(value)
            if known == name:
                break
            start += size + len(between)
        return self._span(start, start + size)

    def _span(self, start: int, end: int) -> Span | None:
        if self.at is None:
            return None
        offset, line = self.at
        return Span(offset + start, offset + end, line, start + 1, line, end + 1)


@frozen(eq=False, repr=False)
class Meta(Node):
    """What the capsule is about, how deep it went and when it was written (§2.4).

    Attributes:
        topic: What the session was about.
        domain: The field it belongs to.
        depth: SURFACE, WORKING or DEEP.
        timestamp: The minute of writing in UTC, `2026-07-30T14:40Z`.
    """

    topic: str
    domain: str
    depth: str
    timestamp: str

    PREFIX: ClassVar[str] = "META: "
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "domain", "depth", "timestamp")
    BETWEEN: ClassVar[tuple[str, ...]] = (SEP, SEP, SEP)


@frozen(eq=False, repr=False)
class Chain(Node):
    """How many stitches lie behind the capsule and when its chain began (§2.10b).

    Attributes:
        hops: How many stitches, in digits as written.
        origin: When the first capsule of the chain was written.
    """

    hops: str
    origin: str

    PREFIX: ClassVar[str] = "CHAIN: hops="
    FIELDS: ClassVar[tuple[str, ...]] = ("hops", "origin")
    BETWEEN: ClassVar[tuple[str, ...]] = (" origin=",)

    def _identity(self) -> tuple[str, ...]:
        return canonical_integer(self.hops), self.origin


@frozen(eq=False, repr=False)
class Integrity(Node):
    """The stamp: CRC-32 and length (§2.10a); any two are equal, its presence counts.

    Attributes:
        crc32: Eight hexadecimal digits over the text without this line.
        chars: The length of the whole text in bytes, in digits as written.
    """

    crc32: str
    chars: str

    PREFIX: ClassVar[str] = "INTEGRITY: crc32="
    FIELDS: ClassVar[tuple[str, ...]] = ("crc32", "chars")
    BETWEEN: ClassVar[tuple[str, ...]] = (" chars=",)

    def _identity(self) -> tuple[str, ...]:
        return ()


@frozen(eq=False, repr=False)
class SkeletonEntry(Node):
    """L1: a decision, pivot or discovery that cannot be derived, and why (§2.5).

    Attributes:
        type: CHOICE, CONSTRAINT, DISCOVERY, PIVOT or OUTCOME.
        fact: What was decided or found.
        reason: Why.
    """

    type: str
    fact: str
    reason: str

    FIELDS: ClassVar[tuple[str, ...]] = LAYERS[0].fields
    BETWEEN: ClassVar[tuple[str, ...]] = (SEP, SEP)


@frozen(eq=False, repr=False)
class NegativeEntry(Node):
    """L2: a path ruled out, why, and the lesson that outlives it (§2.6).

    Attributes:
        option: The path that was ruled out.
        reason: Why.
        lesson: What remains of it.
    """

    option: str
    reason: str
    lesson: str

    FIELDS: ClassVar[tuple[str, ...]] = LAYERS[1].fields
    BETWEEN: ClassVar[tuple[str, ...]] = (SEP, SEP)


@frozen(eq=False, repr=False)
class InternalEntry(Node):
    """L3: what the session itself held, in the first person (§2.7).

    Attributes:
        type: INTUITION, UNCERTAINTY or another token of L3.
        content: What was held.
    """

    type: str
    content: str

    FIELDS: ClassVar[tuple[str, ...]] = LAYERS[2].fields
    BETWEEN: ClassVar[tuple[str, ...]] = (": ",)


@frozen(eq=False, repr=False)
class RelationEntry(Node):
    """L4: one axis of the working relationship and where it stands (§2.8).

    Attributes:
        dimension: The axis, such as STYLE or TRUST.
        state: Where it stands.
    """

    dimension: str
    state: str

    FIELDS: ClassVar[tuple[str, ...]] = LAYERS[3].fields
    BETWEEN: ClassVar[tuple[str, ...]] = (": ",)


@frozen(eq=False, repr=False)
class LoopEntry(Node):
    """L5: a thread left open and how urgent it is (§2.9).

    Attributes:
        type: PROMISE, INCOMPLETE_TASK or another token of L5.
        description: What is open.
        priority: HIGH, MED or LOW.
    """

    type: str
    description: str
    priority: str

    FIELDS: ClassVar[tuple[str, ...]] = LAYERS[4].fields
    BETWEEN: ClassVar[tuple[str, ...]] = (SEP, SEP)


Entry = SkeletonEntry | NegativeEntry | InternalEntry | RelationEntry | LoopEntry


@frozen(eq=False, repr=False)
class Seed(Node):
    """The one sentence that orients a reader who sees nothing else (§2.10).

    Attributes:
        text: The sentence.
    """

    text: str

    PREFIX: ClassVar[str] = "SEED: "
    FIELDS: ClassVar[tuple[str, ...]] = ("text",)


@frozen(kw_only=True)
class Capsule:
    """A whole capsule (§2.2).

    ``version`` is ``v1``, ``v1.1`` or ``v1.2``; ``layout`` is ``spaced`` or
    ``compact``; ``size`` is the length in bytes of the text it was read from.
    ``layout``, ``final_lf``, ``size`` and the nodes' ``at`` speak of that text,
    also in a capsule evolved from it; none of them counts when it is written.

    Attributes:
        meta: The META line.
        chain: The CHAIN line, None without one.
        integrity: The INTEGRITY line, None without one.
        skeleton: L1.
        negative: L2.
        internal: L3.
        relation: L4.
        loops: L5.
        seed: The SEED line.
    """

    version: str
    meta: Meta
    chain: Chain | None = None
    integrity: Integrity | None = None
    skeleton: tuple[SkeletonEntry, ...] = ()
    negative: tuple[NegativeEntry, ...] = ()
    internal: tuple[InternalEntry, ...] = ()
    relation: tuple[RelationEntry, ...] = ()
    loops: tuple[LoopEntry, ...] = ()
    seed: Seed
    layout: str = field(default="spaced", eq=False)
    final_lf: bool = field(default=True, eq=False)
    size: int | None = field(default=None, eq=False)

    @property
    def layers(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """``("L1", entries)`` ... ``("L5", entries)``."""
        for layer in LAYERS:
            yield layer.key, getattr(self, layer.attribute)
