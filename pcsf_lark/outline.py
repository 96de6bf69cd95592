"""The tolerant line tree: what each line of a file, however broken, was taken for.

Laws of this file: an outline judges nothing, it only says where the lines
stand; rules make findings of it. It is stored a byte a line, so that a file of
64 KiB of one-byte lines costs no more than its text.
"""

from __future__ import annotations

import enum
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.spec import LAYERS, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.source import Source, Span
    from pcsf_lark.spec import Layer

__all__ = ["Boundary", "Kind", "Line", "Outline", "Run"]


class Kind(enum.IntEnum):
    """What a line was taken for."""

    OUTSIDE = 0
    """Text before or after the capsule."""
    OPEN = 1
    META = 2
    CHAIN = 3
    INTEGRITY = 4
    HEADER = 5
    """A layer header in its place."""
    MISPLACED = 6
    """A layer header out of its place."""
    ENTRY = 7
    SEED = 8
    CLOSE = 9
    BLANK = 10
    """The blank line that closes a block."""
    EXTRA = 11
    """A blank line where none belongs, between two blocks."""
    GAP = 12
    """A blank line inside a layer's list of entries."""
    STRAY = 13
    """A line that belongs to no block."""
    MUTE = 14
    """A line that nothing can be said of, since its layer header is out of place."""


@frozen
class Line:
    """One line: its number counted from 0, kind, layer number (0: none), text."""

    index: int
    kind: Kind
    layer: int
    text: str
    dirty: bool
    span: Span


@frozen
class Run:
    """Neighbouring lines of one kind, none of them C1's: first and last, counted from 0."""

    first: int
    last: int
    layer: int
    text: str
    span: Span

    def __len__(self) -> int:
        """How many lines."""
        return self.last - self.first + 1

    @property
    def whole(self) -> tuple[int, int]:
        """The offsets to cut at so that the lines are gone, the last one's LF included."""
        return self.span.offset, self.span.end + 1


@frozen
class Boundary:
    """The seam before a block that is in place: the block's line, and is it blank."""

    index: int
    blank: bool


@frozen(eq=False, slots=False)
class Outline:
    """A file's lines, each with its kind and the layer it lies in.

    ``boundaries`` are the seams between neighbouring layers, and between L5
    and SEED, at which the layout can be told.

    Attributes:
        source: The text.
        kinds: The kind of each line, a byte each.
        layers: The number of each line's layer, a byte each, 0 outside.
    """

    source: Source
    kinds: bytes
    layers: bytes
    boundaries: tuple[Boundary, ...]

    def __getitem__(self, index: int) -> Line:
        """The line with this number, counted from 0."""
        source = self.source
        return Line(
            index,
            Kind(self.kinds[index]),
            self.layers[index],
            source.line(index),
            bool(source.dirty[index]),
            source.line_span(index),
        )

    def __len__(self) -> int:
        """How many lines the file has."""
        return len(self.kinds)

    def lines(self, *kinds: Kind) -> Iterator[Line]:
        """The lines of these kinds, in file order; all lines where none is named."""
        for index, kind in enumerate(self.kinds):
            if not kinds or kind in kinds:
                yield self[index]

    def clean(self, *kinds: Kind) -> Iterator[Line]:
        """``lines`` without those that C1 speaks of: they get no other code (D14)."""
        return (line for line in self.lines(*kinds) if not line.dirty)

    def runs(self, kind: Kind) -> Iterator[Run]:
        """Neighbouring lines of a kind together; a line that C1 speaks of parts them."""
        source, first = self.source, -1
        for index in range(len(self.kinds) + 1):
            inside = index < len(self.kinds) and self.kinds[index] == kind
            if inside and not source.dirty[index]:
                first = index if first < 0 else first
            elif first >= 0:
                start, end = source.bounds(first)[0], source.bounds(index - 1)[1]
                text = source.text[start:end]
                yield Run(first, index - 1, self.layers[first], text, source.span(start, end))
                first = -1

    def first(self, kind: Kind) -> Line | None:
        """The first line of a kind, or None."""
        index = self.kinds.find(kind)
        return None if index < 0 else self[index]

    def last(self, *kinds: Kind) -> int:
        """The number of the last line of these kinds, counted from 0; -1: there is none."""
        return max(self.kinds.rfind(kind) for kind in kinds)

    def entries(self, layer: Layer) -> Iterator[Line]:
        """The lines taken for entries of a layer."""
        for index, kind in enumerate(self.kinds):
            if kind == Kind.ENTRY and self.layers[index] == layer.number:
                yield self[index]

    @cached_property
    def layout(self) -> str | None:
        """``spaced``, ``compact``, ``mixed``, or None where it cannot be told (D1)."""
        seams = {boundary.blank for boundary in self.boundaries}
        if len(seams) == 2:
            return "mixed"
        return {True: "spaced", False: "compact"}[seams.pop()] if seams else None

    @cached_property
    def headers(self) -> tuple[Line, ...]:
        """Every line taken for a layer header, in file order."""
        return tuple(self.lines(Kind.HEADER, Kind.MISPLACED))

    @cached_property
    def version(self) -> str | None:
        """The version that the opening line names exactly, or None."""
        line = self.first(Kind.OPEN)
        tokens = {f"===PCSF:{version}===": version for version in VERSIONS}
        return tokens.get(line.text) if line else None

    def missing_layers(self) -> tuple[Layer, ...]:
        """The layers that no header names."""
        seen = {line.layer for line in self.headers}
        return tuple(layer for layer in LAYERS if layer.number not in seen)
