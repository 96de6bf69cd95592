"""The fast reader: one generated regex says yes or no, slicing builds the AST.

The patterns in ``_generated`` are translated from ``grammar/pcsf.abnf``; they
match a whole capsule or nothing. What matched needs no further checks, so that
entries are made by plain splitting. What did not match is explained by
``recovery`` and ``explanation``.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark import integrity
from pcsf_lark.model import (
    Capsule,
    Chain,
    Integrity,
    InternalEntry,
    LoopEntry,
    Meta,
    NegativeEntry,
    RelationEntry,
    Seed,
    SkeletonEntry,
)
from pcsf_lark.spec import LAYERS, LIMIT, SEP
from pcsf_lark.syntax import _generated
from pcsf_lark.values import canonical_integer, is_one_sentence, is_real_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pcsf_lark.model import Entry

__all__ = ["ENTRY_CLASSES", "Match", "build", "conforms", "exact_case", "match"]

#: The node class of each layer's entries, in the layers' order.
ENTRY_CLASSES: tuple[type[Entry], ...] = (
    SkeletonEntry,
    NegativeEntry,
    InternalEntry,
    RelationEntry,
    LoopEntry,
)

_GROUPS = ("open", "meta", "chain", "integrity", *(layer.key for layer in LAYERS), "seed")
_OPEN, _META, _CHAIN, _INTEGRITY, _FIRST_LAYER, *_, _SEED = range(1, len(_GROUPS) + 1)
_ENTRIES = tuple(zip(ENTRY_CLASSES, (layer.separator for layer in LAYERS), strict=True))
_SHORTEST = len("a: b\n")
#: Each layer's group, its cap, and a length below which it cannot be over it.
_CAPS = tuple(
    (_FIRST_LAYER + i, layer.cap, len(layer.header) + _SHORTEST * (layer.cap + 1))
    for i, layer in enumerate(LAYERS)
)
_TIME = len("YYYY-MM-DDThh:mmZ")
_ORIGIN = len(" origin=") + _TIME
_HEX = len("INTEGRITY: crc32=")
_CHARS = _HEX + 8 + len(" chars=")


@frozen(eq=False)
class _Reading:
    """One pattern and how its matches are read.

    ``lines`` is how many line ends a layer's match holds beyond one for each
    entry, ``seam`` how many lines a layer takes beyond its entries, ``exact``
    whether tokens stand in their own case.
    """

    layout: str
    pattern: str
    lines: int
    seam: int
    exact: bool


_SPACED = _Reading("spaced", "SPACED", 1, 2, exact=True)
_COMPACT = _Reading("compact", "COMPACT", 1, 1, exact=True)
_PROFILES = {
    "interop": (_SPACED, _COMPACT),
    "prose": (_SPACED,),
    "abnf": (_Reading("compact", "REPAIRED", 0, 1, exact=False),),
}


#: A whole text that the grammar of a profile accepts, and the reading that did.
Match = tuple[re.Match[str], _Reading]


@cache
def _fullmatch(name: str) -> Callable[[str], re.Match[str] | None]:
    pattern = re.compile(getattr(_generated, name), re.ASCII)
    if tuple(pattern.groupindex) != _GROUPS:
        raise AssertionError(f"the groups of {name} are not those this reader slices")
    return pattern.fullmatch


def match(text: str, profile: str) -> Match | None:
    """Whether the grammar of ``profile`` accepts the whole text."""
    for reading in _PROFILES[profile]:
        if found := _fullmatch(reading.pattern)(text):
            return found, reading
    return None


def conforms(matched: Match, data: bytes) -> bool:
    """What the grammar cannot say: size, caps, real times, one sentence, the stamp.

    With the match itself this is the whole verdict, C0 to C12, on ``data``.
    """
    if len(data) > LIMIT:
        return False
    found, reading = matched
    text, spans, spare = found.string, found.regs, reading.lines
    for group, cap, enough in _CAPS:
        start, end = spans[group]
        if end - start >= enough and text.count("\n", start, end) - spare > cap:
            return False
    if reading.exact:
        for group in (_META, _CHAIN):
            end = spans[group][1]
            if end > 0 and not is_real_time(text[end - _TIME : end]):
                return False
    elif " \n" in text:  # C1, which the grammar as printed allows
        return False
    start, end = spans[_SEED]
    if not is_one_sentence(text[start:end]):
        return False
    start, end = spans[_INTEGRITY]
    if start < 0:
        return True
    stamp = text[start + _HEX : start + _HEX + 8]
    if integrity.checksum(data[:start], data[end + 1 :]) != stamp:
        return False
    return canonical_integer(text[start + _CHARS : end]) == str(len(data))


def build(matched: Match) -> Capsule:
    """The AST of a matched text."""
    found, reading = matched
    text, spans = found.string, found.regs
    line = 2
    start, end = spans[_META]
    topic, domain, depth, time = text[start + len(Meta.PREFIX) : end].split(SEP)
    meta = Meta(topic, domain, depth, time, at=(start, line))
    chain = stamp = None
    start, end = spans[_CHAIN]
    if start > 0:
        line += 1
        hops, origin = text[start + len(Chain.PREFIX) : end - _ORIGIN], text[end - _TIME : end]
        chain = Chain(hops, origin, at=(start, line))
    start, end = spans[_INTEGRITY]
    if start > 0:
        line += 1
        crc = text[start + _HEX : start + _HEX + 8]
        stamp = Integrity(crc, text[start + _CHARS : end], at=(start, line))
    line += 2
    layers = []
    for group, (make, separator) in enumerate(_ENTRIES, start=_FIRST_LAYER):
        start, end = spans[group]
        entries = _entries(text[start:end], start, line, make, separator)
        layers.append(entries)
        line += len(entries) + reading.seam
    start, end = spans[_SEED]
    capsule = Capsule(
        version=text[len("===PCSF:") : spans[_OPEN][1] - len("===")],
        meta=meta,
        chain=chain,
        integrity=stamp,
        skeleton=layers[0],
        negative=layers[1],
        internal=layers[2],
        relation=layers[3],
        loops=layers[4],
        seed=Seed(text[start + len(Seed.PREFIX) : end], at=(start, line)),
        layout=reading.layout,
        final_lf=text[-1] == "\n",
        size=len(text),
    )
    return capsule if reading.exact else exact_case(capsule)


def _entries(block: str, at: int, line: int, make: Any, separator: str) -> tuple[Any, ...]:
    """The entries of a layer's text, whose header starts at ``at`` in ``line``."""
    header, *rows = block.split("\n")
    at += len(header) + 1
    splits = 1 if separator == ": " else -1
    entries = []
    for row in rows:
        if row:
            line += 1
            entries.append(make(*row.split(separator, splits), at=(at, line)))
            at += len(row) + 1
    return tuple(entries)


def exact_case(capsule: Capsule) -> Capsule:
    """Tokens that profile abnf takes in any case, as they should be written (D1)."""
    from attrs import evolve  # noqa: PLC0415 - that profile alone changes nodes

    def upper(node: Any, *names: str) -> Any:
        changes = {name: getattr(node, name).upper() for name in names}
        return evolve(node, **changes)

    return evolve(
        capsule,
        version=capsule.version.lower(),
        meta=upper(capsule.meta, "depth", "timestamp"),
        chain=capsule.chain and upper(capsule.chain, "origin"),
        skeleton=tuple(upper(entry, "type") for entry in capsule.skeleton),
        internal=tuple(upper(entry, "type") for entry in capsule.internal),
        loops=tuple(upper(entry, "type", "priority") for entry in capsule.loops),
    )
