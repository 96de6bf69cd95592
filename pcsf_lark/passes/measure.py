"""How many bytes the parts of a capsule take in its canonical text, without writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.emit.lines import all_lines, head_lines, seed_line
from pcsf_lark.spec import CLOSE, LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.model import Capsule

__all__ = ["bare_size", "lines_size", "outer_parts", "parts", "stamp_size"]

#: What every capsule has besides its first line: last line, headers and blank lines.
_FRAME = len("\n\n") + len(f"{CLOSE}\n") + sum(len(f"{x.header}\n\n") for x in LAYERS)


def lines_size(lines: Iterable[str]) -> int:
    """Lines with their LFs."""
    return sum([len(line) + 1 for line in lines])


def outer_parts(capsule: Capsule) -> dict[str, int]:
    """The bytes of all that is no entry, INTEGRITY left out; ``frame`` is what all capsules have."""
    opening, *head = head_lines(capsule)
    sizes = {"frame": _FRAME + len(opening), "META": len(head[0]) + 1}
    if len(head) > 1:
        sizes["CHAIN"] = len(head[1]) + 1
    sizes["SEED"] = len(seed_line(capsule)) + 1
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
