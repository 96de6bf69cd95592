"""What makes two entries of a layer the same thread (§7.1)."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from pcsf_lark.spec import LAYERS, SEP

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.model import Entry

__all__ = ["KEYS", "identity", "label"]

#: The fields that entries of one thread share, exactly as written.
KEYS = {
    "L1": ("type", "fact"),
    "L2": ("option", "reason"),
    "L3": ("type",),
    "L4": ("dimension",),
    "L5": ("description",),
}
_KEYS = {layer.key: attrgetter(*KEYS[layer.key]) for layer in LAYERS}


def identity(layer: str) -> Callable[[Entry], str | tuple[str, ...]]:
    """The function that gives an entry's key in a layer, ``L1`` to ``L5``."""
    return _KEYS[layer]


def label(layer: str, entry: Entry) -> str:
    """An entry's key as one text, its fields joined as they stand in the line."""
    return SEP.join(getattr(entry, name) for name in KEYS[layer])
