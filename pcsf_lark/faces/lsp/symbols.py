"""A capsule's parts for the outline, the breadcrumbs and the folding of an editor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.lsp.answers import Fold, Symbol
from pcsf_lark.faces.lsp.placing import row
from pcsf_lark.outline import Kind
from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line, Outline

__all__ = ["folds", "symbols"]

#: The lines outside layers that are worth a jump, and what they are called.
_SINGLE = {Kind.META: "META", Kind.CHAIN: "CHAIN", Kind.INTEGRITY: "INTEGRITY", Kind.SEED: "SEED"}
_MOST = 80


def symbols(outline: Outline) -> Iterator[Symbol]:
    """META, layers with their entries, SEED: whatever of them there is, in file order."""
    for line in outline.lines(*_SINGLE, Kind.HEADER):
        if line.kind is Kind.HEADER:
            yield _layer(outline, line)
        else:
            name = _SINGLE[line.kind]
            detail = line.text.partition(":")[2].strip()
            yield _symbol(line, name, detail, "field")


def folds(outline: Outline) -> Iterator[Fold]:
    """The header lines, and each layer that holds entries."""
    head = list(outline.lines(Kind.META, Kind.CHAIN, Kind.INTEGRITY))
    first = outline.first(Kind.OPEN)
    if first and head:
        yield Fold(first.span.offset, head[-1].span.end)
    for header in outline.lines(Kind.HEADER):
        entries = list(outline.entries(LAYERS[header.layer - 1]))
        if entries:
            yield Fold(header.span.offset, entries[-1].span.end)


def _layer(outline: Outline, header: Line) -> Symbol:
    layer = LAYERS[header.layer - 1]
    children = tuple(_entry(outline, line) for line in outline.entries(layer))
    symbol = _symbol(header, layer.header, f"{len(children)} of {layer.cap}", "layer")
    end = children[-1].end if children else header.span.end
    return symbol._replace(end=end, children=children)


def _entry(outline: Outline, line: Line) -> Symbol:
    first, *rest = row(outline, line.span.offset).fields
    detail = " | ".join(field.value for field in rest)
    return _symbol(line, first.value, detail, "entry")


def _symbol(line: Line, name: str, detail: str, kind: str) -> Symbol:
    # An empty name makes some editors refuse the whole answer.
    start, end = line.span.offset, line.span.end
    return Symbol(_clean(name) or "(nothing)", _clean(detail), kind, start, end, start, end)


def _clean(text: str) -> str:
    """One character a byte, back to text."""
    whole = text.encode("latin-1").decode("utf-8", "replace").strip()
    return whole if len(whole) <= _MOST else f"{whole[:_MOST]}..."
