"""How many bytes the parts of a capsule take in its canonical text, without writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.emit.lines import SHAPES
from pcsf_lark.model import Chain
from pcsf_lark.spec import CLOSE, LAYERS
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.model import Capsule, Entry, Node

__all__ = ["bare_size", "layer_size", "line_size", "parts", "stamp_size"]

#: What the separators and the LF of an entry take in each layer.
_AROUND = {x.key: len(x.separator) * (len(x.fields) - 1) + len("\n") for x in LAYERS}
#: The lines that every capsule has: opening, closing, headers and blank lines.
_FRAME = len("===PCSF:===\n\n") + len(f"{CLOSE}\n") + sum(len(f"{x.header}\n\n") for x in LAYERS)


def line_size(node: Node) -> int:
    """A node's line with its LF."""
    return len(node.line) + len("\n")


def layer_size(layer: str, entries: Sequence[Entry]) -> int:
    """The entries' lines with their LFs."""
    fields, _ = SHAPES[layer]
    return sum(len("".join(fields(entry))) for entry in entries) + _AROUND[layer] * len(entries)


def parts(capsule: Capsule) -> dict[str, int]:
    """The bytes of each part, INTEGRITY left out; ``frame`` is what every capsule has."""
    chain = capsule.chain
    if chain:
        chain = Chain(canonical_integer(chain.hops), chain.origin)
    return {
        "frame": _FRAME + len(capsule.version),
        "META": line_size(capsule.meta),
        "CHAIN": line_size(chain) if chain else 0,
        **{key: layer_size(key, entries) for key, entries in capsule.layers},
        "SEED": line_size(capsule.seed),
    }


def bare_size(capsule: Capsule) -> int:
    """The whole canonical text without INTEGRITY."""
    return sum(parts(capsule).values())


def stamp_size(bare: int) -> int:
    """The INTEGRITY line of a text of ``bare`` bytes: its length hangs on theirs alone."""
    return len(integrity.write(bytes(bare)))
