"""The lines of a capsule, many at a time: as ``Node.line``, in a quarter of its time."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from pcsf_lark.model import Chain, Meta, Seed
from pcsf_lark.spec import LAYERS, SEP
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.model import Capsule, Entry

__all__ = ["all_lines", "entry_lines", "head_lines", "layer_lines", "seed_line"]

_META = attrgetter(*Meta.FIELDS)
#: For each layer, by its key, the getter of an entry's fields and what stands between them.
_SHAPES = {layer.key: (attrgetter(*layer.fields), layer.separator) for layer in LAYERS}
_LAYERS = tuple((layer.key, layer.header, attrgetter(layer.attribute)) for layer in LAYERS)


def head_lines(capsule: Capsule) -> list[str]:
    """The canonical lines before L1, INTEGRITY left out: version token, META, CHAIN."""
    lines = [f"===PCSF:{capsule.version}===", Meta.PREFIX + SEP.join(_META(capsule.meta))]
    if chain := capsule.chain:
        hops = canonical_integer(chain.hops)
        lines.append(f"{Chain.PREFIX}{hops}{Chain.BETWEEN[0]}{chain.origin}")
    return lines


def seed_line(capsule: Capsule) -> str:
    """The SEED line."""
    return Seed.PREFIX + capsule.seed.text


def entry_lines(layer: str, entries: Iterable[Entry]) -> list[str]:
    """The entries of a layer (``L1`` to ``L5``) as written, without their LFs."""
    fields, separator = _SHAPES[layer]
    return [separator.join(fields(entry)) for entry in entries]


def layer_lines(capsule: Capsule) -> Iterator[list[str]]:
    """The five layers' lines, each with its header first."""
    for key, header, entries_of in _LAYERS:
        yield [header, *entry_lines(key, entries_of(capsule))]


def all_lines(capsule: Capsule) -> dict[str, list[str]]:
    """The lines of every entry, by layer."""
    return {key: entry_lines(key, entries_of(capsule)) for key, _, entries_of in _LAYERS}
