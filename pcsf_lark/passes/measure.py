"""How many bytes the parts of a capsule take in its canonical text, without writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.emit.lines import all_lines
from pcsf_lark.model import Chain
from pcsf_lark.spec import CLOSE, LAYERS
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.model import Capsule

__all__ = ["bare_size", "lines_size", "outer_parts", "parts", "stamp_size"]

#: The lines that every capsule has: opening, closing, headers and blank lines.
_FRAME = len("===PCSF:===\n\n") + len(f"{CLOSE}\n") + sum(len(f"{x.header}\n\n") for x in LAYERS)


def lines_size(lines: Iterable[str]) -> int:
    """Lines with their LFs."""
    return sum([len(line) + 1 for line in lines])


def outer_parts(capsule: Capsule) -> dict[str, int]:
    """The bytes of all that is no entry, INTEGRITY left out; ``frame`` is what all capsules have."""
    sizes = {
        "frame": _FRAME + len(capsule.version),
        "META": len(capsule.meta.line) + 1,
        "SEED": len(capsule.seed.line) + 1,
    }
    if capsule.chain:
        hops = canonical_integer(capsule.chain.hops)
        sizes["CHAIN"] = len(Chain(hops, capsule.chain.origin).line) + 1
    return sizes


def parts(capsule: Capsule) -> dict[str, int]:
    """The bytes of each part that takes any, INTEGRITY left out."""
    layers = {key: lines_size(lines) for key, lines in all_lines(capsule).items() if lines}
    return outer_parts(capsule) | layers


def bare_size(capsule: Capsule) -> int:
    """The whole canonical text without INTEGRITY."""
    return sum(parts(capsule).values())


def stamp_size(bare: int) -> int:
    """The INTEGRITY line of a text of ``bare`` bytes: its length hangs on theirs alone."""
    return len(integrity.write(bytes(bare)))
