"""A drawing as a Mermaid flowchart, in a fence that its content cannot end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.pages.graph_view import Drawing

__all__ = ["mermaid"]

_SHAPES = {
    "decision": ("([", "])"),
    "fact": ("[", "]"),
    "tool": ("[(", ")]"),
    "missing": ("{{", "}}"),
    "window": ("(", ")"),
}
#: ASCII that Mermaid, its labels' Markdown or HTML could take for syntax.
_SYNTAX = re.compile(r"""[^A-Za-z0-9 .,'()+=/?!%·-]""", re.ASCII)


def mermaid(drawing: Drawing, direction: str = "LR") -> Iterator[str]:
    """The lines of a fenced block, and what the drawing leaves out."""
    yield "```mermaid"
    yield f"flowchart {direction}"
    for number, box in enumerate(drawing.boxes):
        left, right = _SHAPES[box.node.kind]
        label = "<br>".join(_label(text) for text in (box.head, box.text) if text)
        yield f'    n{number}{left}"{label}"{right}'
        if box.node.status:
            yield f"    style n{number} stroke-width:3px,stroke-dasharray:6 3"
    for a, b in drawing.edges:
        yield f"    n{a} --> n{b}"
    yield "```"
    if drawing.left_out_nodes or drawing.left_out_edges:
        yield ""
        yield (
            f"Not drawn: {drawing.left_out_nodes:,} boxes and {drawing.left_out_edges:,} arrows."
        )


def _label(text: str) -> str:
    """Text as Mermaid's entity codes, where it is not plain."""
    return _SYNTAX.sub(lambda match: _code(match[0]), text)


def _code(char: str) -> str:
    return f"#{ord(char)};" if char.isascii() else char
