"""How much room is left, above the lines that it concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.lsp.answers import Lens
from pcsf_lark.outline import Kind
from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.report import Report

__all__ = ["lenses"]


def lenses(report: Report) -> Iterator[Lens]:
    """The bytes left in all on the first line; on each layer header what the layer takes."""
    source = report.source
    if source.oversize:
        yield Lens(0, f"more than the {LIMIT:,} bytes that a capsule may have")
        return
    size = len(source.data)
    yield Lens(0, f"{size:,} of {LIMIT:,} bytes, {_left(LIMIT - size)}")
    outline = report.outline
    for header in outline.lines(Kind.HEADER):
        layer = LAYERS[header.layer - 1]
        entries = list(outline.entries(layer))
        taken = sum(len(entry.text) + 1 for entry in entries)
        room = layer.cap - len(entries)
        spare = f"{room} left" if room >= 0 else f"{-room} too many"
        yield Lens(
            header.span.offset,
            f"{layer.key}: {taken:,} bytes, {_left(LIMIT - size)} in all; "
            f"{len(entries)} of {layer.cap} entries, {spare}",
        )


def _left(count: int) -> str:
    return f"{count:,} left" if count >= 0 else f"{-count:,} too many"
