"""What each piece of a text is, for editors that colour it by what the server says.

Laws of this file: pieces come in the order of the text, do not overlap, and lie
in one line each; free text is none. ``start`` and ``end`` count bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.faces.lsp.abnf_names import CORE
from pcsf_lark.faces.lsp.meanings import token_words
from pcsf_lark.faces.lsp.placing import row
from pcsf_lark.outline import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.lsp.abnf_names import Grammar
    from pcsf_lark.faces.lsp.positions import Text
    from pcsf_lark.outline import Outline

__all__ = ["COLOURS", "Piece", "in_capsule", "in_grammar"]

#: What a piece can be, in the protocol's words; their order is their number on the wire.
COLOURS = (
    "keyword", "namespace", "enumMember", "property", "number", "string", "comment",
    "function", "variable", "type",
)  # fmt: skip
_WHOLE = {Kind.OPEN: "keyword", Kind.CLOSE: "keyword", Kind.HEADER: "namespace"}
_KEYED = (Kind.META, Kind.CHAIN, Kind.INTEGRITY, Kind.SEED)


class Piece(NamedTuple):
    """A stretch of bytes and what it is, one of ``COLOURS``."""

    start: int
    end: int
    colour: str


def in_capsule(outline: Outline) -> Iterator[Piece]:
    """Frame, keys, layer headers, tokens, dimensions and times of a capsule."""
    for line in outline.lines():
        start, end = line.span.offset, line.span.end
        if line.kind in _WHOLE:
            yield Piece(start, end, _WHOLE[line.kind])
            continue
        if line.kind in _KEYED:
            key, colon, _ = line.text.partition(":")
            yield Piece(start, start + len(key + colon), "keyword")
        if line.kind in (Kind.META, Kind.ENTRY):
            yield from _fields(outline, start)


def _fields(outline: Outline, start: int) -> Iterator[Piece]:
    line = row(outline, start)
    section = "META" if line.kind is Kind.META else line.section
    for field in line.fields:
        if field.value in token_words(section, field.name):
            colour = "property" if field.name == "dimension" else "enumMember"
            yield Piece(field.start, field.end, colour)
        elif field.name == "timestamp" and field.value:
            yield Piece(field.start, field.end, "number")


def in_grammar(text: Text, grammar: Grammar) -> Iterator[Piece]:
    """Names, strings, values and comments of a grammar."""
    names = {name.start: name for name in grammar.names}
    for start, end, kind in grammar.words:
        name = names.get(start)
        if name is not None:
            kind = "function" if name.defines else "type" if name.key in CORE else "variable"  # noqa: PLW2901 - what a name is shows in the grammar alone
        yield Piece(text.byte(start), text.byte(end), kind)
