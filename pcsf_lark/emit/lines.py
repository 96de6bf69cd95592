"""The lines of a capsule's layers, many at a time: as ``Node.line``, in a quarter of its time."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.model import Capsule, Entry

__all__ = ["SHAPES", "all_lines", "entry_lines", "layer_lines"]

#: For each layer, by its key, the getter of an entry's fields and what stands between them.
SHAPES = {layer.key: (attrgetter(*layer.fields), layer.separator) for layer in LAYERS}
_LAYERS = tuple((layer.key, layer.header, attrgetter(layer.attribute)) for layer in LAYERS)


def entry_lines(layer: str, entries: Iterable[Entry]) -> list[str]:
    """The entries of a layer (``L1`` to ``L5``) as written, without their LFs."""
    fields, separator = SHAPES[layer]
    return [separator.join(fields(entry)) for entry in entries]


def layer_lines(capsule: Capsule) -> Iterator[list[str]]:
    """The five layers' lines, each with its header first."""
    for key, header, entries_of in _LAYERS:
        yield [header, *entry_lines(key, entries_of(capsule))]


def all_lines(capsule: Capsule) -> dict[str, list[str]]:
    """The lines of every entry, by layer."""
    return {key: entry_lines(key, entries_of(capsule)) for key, _, entries_of in _LAYERS}
