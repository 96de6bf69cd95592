"""One line of a layer, split into its fields without judging them (§2.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.spec import Layer

__all__ = ["Field", "belongs", "count", "is_name", "lacks_space", "split", "split_fields"]

_NAME = re.compile(r"[A-Za-z_]+", re.ASCII).fullmatch


@frozen
class Field:
    """A part of a line and the column (counted from 0) it starts at."""

    text: str
    at: int


def is_name(text: str) -> bool:
    """Whether ``text`` may name an L4 dimension (D12)."""
    return _NAME(text) is not None


def split_fields(text: str, separator: str, at: int = 0, most: int = -1) -> Iterator[Field]:
    """The parts between separators; ``at`` is the column the text starts at."""
    for part in text.split(separator, most):
        yield Field(part, at)
        at += len(part) + len(separator)


def count(layer: Layer, text: str) -> int:
    """How many fields an entry has; L3 and L4 split at the first ``: ``."""
    found = text.count(layer.separator) + 1
    return min(found, 2) if layer.separator == ": " else found


def split(layer: Layer, text: str) -> Iterator[Field]:
    """An entry's fields, ``count`` of them, one by one: a hostile line has thousands."""
    return split_fields(text, layer.separator, most=1 if layer.separator == ": " else -1)


def belongs(layer: Layer, text: str) -> bool:
    """Whether a line is plainly an entry of this layer: its shape and its first token are."""
    if count(layer, text) != len(layer.fields):
        return False
    first = next(split(layer, text)).text.strip(" ")
    if layer.types:
        return first.upper() in layer.types
    return is_name(first) if layer.separator == ": " else True


def lacks_space(layer: Layer, text: str, *, ignore_case: bool = False) -> bool:
    """Whether a valid L3 or L4 name is followed by a colon without its space."""
    if layer.separator != ": ":
        return False
    name, colon, rest = text.partition(":")
    if not colon or rest.startswith(" "):
        return False
    known = name.upper() if ignore_case else name
    return known in layer.types if layer.types else is_name(name)
