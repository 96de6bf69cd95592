"""Where in a capsule a place is: in which line, of which layer, in which field.

Laws of this file: it works on any text, finished or not; what a line is comes
from the tolerant outline, and the fields are cut where a writer would see them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.model import Meta
from pcsf_lark.outline import Kind
from pcsf_lark.spec import LAYERS, SEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Outline
    from pcsf_lark.spec import Layer

__all__ = ["Field", "Row", "row"]

# A field that is still empty has one space of each bar beside it.
_BAR = re.compile(r" ?\| ?")
_COLON = re.compile(r": ?")
_META = re.compile(r"META: *", re.IGNORECASE)
#: Lines between the first one and L1.
_HEAD = (Kind.OPEN, Kind.META, Kind.CHAIN, Kind.INTEGRITY)

#: Lines that are an entry or may become one.
_LAYERED = (
    Kind.ENTRY, Kind.STRAY, Kind.MUTE, Kind.BLANK, Kind.EXTRA, Kind.GAP, None,
)  # fmt: skip


class Field(NamedTuple):
    """A field of a line: its name, text, and the bytes it takes."""

    name: str
    value: str
    start: int
    end: int


class Row(NamedTuple):
    """A line and what it may be: ``section`` is ``head``, ``L1`` ... ``L5`` or ``tail``.

    ``fields`` are those that its text shows so far, by the names they have in
    that section.
    """

    number: int
    start: int
    text: str
    kind: Kind | None
    section: str
    fields: tuple[Field, ...]

    @property
    def layer(self) -> Layer | None:
        """The layer it lies in."""
        return next((layer for layer in LAYERS if layer.key == self.section), None)

    def at(self, offset: int) -> Field | None:
        """The field that a byte lies in or ends."""
        return next((f for f in self.fields if f.start <= offset <= f.end), None)


def row(outline: Outline, offset: int) -> Row:
    """The line that a byte lies in; an empty one after the last line end."""
    source = outline.source
    after = source.final_lf and offset >= len(source.data)
    if after or not len(source):
        number, start, text, kind = len(source), len(source.data), "", None
    else:
        number = source.index(offset)
        start, text, kind = (
            source.bounds(number)[0],
            source.line(number),
            Kind(outline.kinds[number]),
        )
    section = _section(outline, number)
    return Row(number, start, text, kind, section, tuple(_fields(section, start, text, kind)))


def _section(outline: Outline, number: int) -> str:
    """What the lines above make of a line."""
    for index in range(min(number, len(outline)) - 1, -1, -1):
        kind = outline.kinds[index]
        if kind in (Kind.SEED, Kind.CLOSE):
            return "tail"
        if kind in (Kind.HEADER, Kind.MISPLACED):
            return f"L{outline.layers[index]}"
        if kind in _HEAD:
            return "head"
    return "head"


def _fields(section: str, start: int, text: str, kind: Kind | None) -> Iterator[Field]:
    if kind is Kind.META:
        head = _META.match(text)
        skip = head.end() if head else 0
        yield from _cut(Meta.FIELDS, _BAR, start + skip, text[skip:])
        return
    layer = next((layer for layer in LAYERS if layer.key == section), None)
    if layer is None or kind not in _LAYERED:
        return
    yield from _cut(layer.fields, _BAR if layer.separator == SEP else _COLON, start, text)


def _cut(
    names: tuple[str, ...], separator: re.Pattern[str], start: int, text: str
) -> Iterator[Field]:
    """The fields of a text; what is beyond the last separator that counts is the last one."""
    at = 0
    for number, name in enumerate(names):
        found = separator.search(text, at) if number + 1 < len(names) else None
        end = found.start() if found else len(text)
        yield Field(name, text[at:end], start + at, start + end)
        if found is None:
            return
        at = found.end()
