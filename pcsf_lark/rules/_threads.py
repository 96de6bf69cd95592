"""Which thread each entry belongs to: the keys by which a stitch tells entries apart (§7.1).

Two entries of a layer with one key are one thread to a stitch, and the later
one takes the earlier one's place. The keys are those of ``passes.identity``,
made here for a whole capsule at once, since every check asks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule, Entry

__all__ = ["repeats", "threads"]


def threads(capsule: Capsule) -> tuple[tuple[str, tuple[Entry, ...], list[tuple[str, ...]]], ...]:
    """For each layer its name, its entries and their keys."""
    return (
        ("L1", capsule.skeleton, [(e.type, e.fact) for e in capsule.skeleton]),
        ("L2", capsule.negative, [(e.option, e.reason) for e in capsule.negative]),
        ("L3", capsule.internal, [(e.type,) for e in capsule.internal]),
        ("L4", capsule.relation, [(e.dimension,) for e in capsule.relation]),
        ("L5", capsule.loops, [(e.description,) for e in capsule.loops]),
    )


def repeats(capsule: Capsule) -> list[tuple[str, Entry, Entry]]:
    """Layer, first entry and later entry of each thread that comes twice in a layer."""
    found: list[tuple[str, Entry, Entry]] = []
    for layer, entries, keys in threads(capsule):
        if len(set(keys)) == len(keys):
            continue
        first: dict[tuple[str, ...], Entry] = {}
        for entry, key in zip(entries, keys, strict=True):
            earlier = first.setdefault(key, entry)
            if earlier is not entry:
                found.append((layer, earlier, entry))
    return found
