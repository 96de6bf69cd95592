"""A capsule's one canonical text (D21).

Spaced layout, exact tokens, one final LF, no leading zeros; entries and their
text unchanged. A capsule with INTEGRITY is stamped anew, over this text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.emit.lines import layer_lines
from pcsf_lark.model import Chain
from pcsf_lark.spec import CLOSE
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule

__all__ = ["canonical"]


def canonical(capsule: Capsule) -> bytes:
    """The canonical text; whether it is a conformant one is not judged here."""
    head = [f"===PCSF:{capsule.version}===", capsule.meta.line]
    if capsule.chain:
        hops = canonical_integer(capsule.chain.hops)
        head.append(Chain(hops, capsule.chain.origin).line)
    blocks = ["\n".join(head)]
    blocks += ["\n".join(lines) for lines in layer_lines(capsule)]
    blocks.append(f"{capsule.seed.line}\n{CLOSE}\n")
    bare = "\n\n".join(blocks).encode("utf-8", "surrogatepass")
    if capsule.integrity is None:
        return bare
    return integrity.insert(bare, len(blocks[0].encode("utf-8", "surrogatepass")) + 1)
