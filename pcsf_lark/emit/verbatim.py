"""A capsule's own text: what it was read from, byte for byte.

The tree keeps layout, final LF and every value as written, so that the text it
came from can be had again. Of a tree that profile ``abnf`` read, tokens come in
their exact case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.emit.lines import layer_lines
from pcsf_lark.spec import CLOSE

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule

__all__ = ["verbatim"]


def verbatim(capsule: Capsule) -> bytes:
    """The text as it was read; ``canonical`` is how it should be written."""
    head = (capsule.meta, capsule.chain, capsule.integrity)
    lines = [f"===PCSF:{capsule.version}===", *(node.line for node in head if node), ""]
    for block in layer_lines(capsule):
        lines += block
        if capsule.layout == "spaced":
            lines.append("")
    lines += [capsule.seed.line, CLOSE]
    text = "\n".join(lines) + "\n" * capsule.final_lf
    return text.encode("utf-8", "surrogatepass")
