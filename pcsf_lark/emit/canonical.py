"""A capsule's one canonical text (D21).

Spaced layout, exact tokens, one final LF, no leading zeros; entries and their
text unchanged. A capsule with INTEGRITY is stamped anew, over this text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.emit.lines import head_lines, layer_lines, seed_line
from pcsf_lark.spec import CLOSE

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule

__all__ = ["canonical"]


def canonical(capsule: Capsule) -> bytes:
    """The canonical text; whether it is a conformant one is not judged here."""
    blocks = ["\n".join(head_lines(capsule))]
    blocks += ["\n".join(lines) for lines in layer_lines(capsule)]
    blocks.append(f"{seed_line(capsule)}\n{CLOSE}\n")
    bare = "\n\n".join(blocks).encode("utf-8", "surrogatepass")
    if capsule.integrity is None:
        return bare
    return integrity.insert(bare, len(blocks[0].encode("utf-8", "surrogatepass")) + 1)
