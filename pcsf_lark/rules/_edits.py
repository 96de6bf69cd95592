"""The edits that more than one rule offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.model import Node
    from pcsf_lark.source import Source

__all__ = ["remove_line", "reorder"]


def remove_line(source: Source, node: Node, title: str) -> Fix | None:
    """Take out a node's line with its line end; unsafe, since its words are lost."""
    if (span := node.span) is None:
        return None
    return Fix(title, (Edit(source.span(span.offset, span.end + 1), ""),), safe=False)


def reorder(nodes: Sequence[Node], order: Sequence[Node], title: str) -> Fix | None:
    """Write the lines of ``nodes`` in another order, each place that changes."""
    edits = [
        Edit(old.span, new.line)
        for old, new in zip(nodes, order, strict=True)
        if old is not new and old.span is not None
    ]
    return Fix(title, tuple(edits), safe=False) if edits else None
