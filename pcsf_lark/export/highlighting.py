"""What stands where in a capsule, for highlighters: one table, read by all of them.

Laws: a line is a row of pieces, each a kind and a regular expression that
TextMate's engine and Python's `re` read alike; the tokens come from
``pcsf_lark.spec``. Lines are known by the layer they stand in, so a rejected
option called ``CHOICE`` is not taken for an L1 type.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from pcsf_lark.spec import CLOSE, DEPTHS, LAYERS, PRIORITIES, SEP, VERSIONS, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["KINDS", "SECTIONS", "Line", "Section"]

Piece: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Piece, ...]

#: Kind to its TextMate scope and its Pygments token.
KINDS = {
    "frame": ("keyword.control.frame.pcsf", "Keyword.Namespace"),
    "header": ("entity.name.section.pcsf", "Keyword.Declaration"),
    "key": ("keyword.other.key.pcsf", "Keyword"),
    "separator": ("punctuation.separator.pcsf", "Punctuation"),
    "type": ("constant.language.type.pcsf", "Name.Constant"),
    "priority": ("constant.language.priority.pcsf", "Name.Builtin"),
    "dimension": ("variable.parameter.dimension.pcsf", "Name.Attribute"),
    "time": ("constant.numeric.timestamp.pcsf", "Literal.Date"),
    "number": ("constant.numeric.integer.pcsf", "Literal.Number.Integer"),
    "hex": ("constant.numeric.hex.pcsf", "Literal.Number.Hex"),
    "text": ("string.unquoted.field.pcsf", "Text"),
    "seed": ("string.unquoted.seed.pcsf", "Literal.String"),
}


@frozen
class Section:
    """A part of a capsule: the line that opens it (None for the first), and the lines in it."""

    name: str
    opener: Line | None
    lines: tuple[Line, ...]


_TIME = ("time", r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z")
_BAR = ("separator", re.escape(SEP).replace(r"\ ", " "))
_TEXT = ("text", r"[^|\n]+?")
_LAST_TEXT = ("text", r"[^|\n]+")


def _any(kind: str, words: Iterable[str]) -> Piece:
    return kind, "|".join(re.escape(word) for word in words)


def _entry(layer: Layer) -> Line:
    """A layer's entries, piece by piece."""
    pieces: list[Piece] = []
    for number, name in enumerate(layer.fields):
        last = number == len(layer.fields) - 1
        if number:
            pieces.append(_BAR if layer.separator == SEP else ("separator", re.escape(": ")))
        if name == "priority":
            pieces.append(_any("priority", PRIORITIES))
        elif name == "dimension":
            pieces.append(("dimension", "[A-Za-z_]+"))
        elif name == "type":
            pieces.append(_any("type", layer.types))
        else:
            pieces.append(_LAST_TEXT if last else _TEXT)
    return tuple(pieces)


_HEAD: tuple[Line, ...] = (
    (_any("frame", (f"===PCSF:{version}===" for version in VERSIONS)),),
    (("key", "META: "), _TEXT, _BAR, _TEXT, _BAR, _any("type", DEPTHS), _BAR, _TIME),
    (("key", "CHAIN: hops="), ("number", "[0-9]+"), ("key", " origin="), _TIME),
    (
        ("key", "INTEGRITY: crc32="),
        ("hex", "[0-9a-f]{8}"),
        ("key", " chars="),
        ("number", "[0-9]+"),
    ),
)
#: SEED and the closing line may follow any section whose layers are empty.
_TAIL: tuple[Line, ...] = (
    (("key", "SEED: "), ("seed", r"[^|\n]+")),
    (("frame", re.escape(CLOSE)),),
)

#: The parts of a capsule in order.
SECTIONS = (
    Section("header", None, _HEAD),
    *(
        Section(
            f"layer{layer.number}",
            (("header", re.escape(layer.header)),),
            (*_TAIL, _entry(layer)) if layer is LAYERS[-1] else (_entry(layer),),
        )
        for layer in LAYERS
    ),
)
