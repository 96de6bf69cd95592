"""Stitching (§7, D17): two capsules of one chain become one that still fits.

Merge by key, trim to the caps, shed what does not fit. Only a stitch ever drops
an L1 entry, the oldest, where nothing else is left to drop.
"""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import frozen

from pcsf_lark.emit.lines import all_lines, entry_lines
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.model import Capsule
from pcsf_lark.passes import lineage
from pcsf_lark.passes.canonical import canonical
from pcsf_lark.passes.fit import shed
from pcsf_lark.passes.identity import identity, label
from pcsf_lark.passes.log import row
from pcsf_lark.spec import LAYERS, LIMIT, PRIORITIES, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.passes.log import Row
    from pcsf_lark.spec import Layer

__all__ = ["StitchResult", "stitch"]

#: Each layer's name and attribute, the getter of its entries and that of an entry's key.
_TABLE = tuple(
    (layer.key, layer.attribute, attrgetter(layer.attribute), identity(layer.key))
    for layer in LAYERS
)


@frozen
class StitchResult:
    """The successor, a row for every line that is not in it, and what was odd.

    Attributes:
        capsule: The successor, v1.2.
        log: A row for each line that is not in it.
        warnings: What was odd, in words.
    """

    capsule: Capsule
    log: tuple[Row, ...]
    warnings: tuple[str, ...]

    @property
    def text(self) -> bytes:
        """The successor's bytes."""
        return verbatim(self.capsule)


def stitch(
    old: Capsule, new: Capsule, *, keep_skeleton: bool = False, stamp: bool = False
) -> StitchResult:
    """Fold a session's capsule ``new`` into its predecessor ``old``.

    The result is a v1.2 capsule of at most 1,200 bytes, with INTEGRITY where
    ``stamp`` asks for it, and counted then. Raises ``Unfittable`` where it
    cannot be: with ``keep_skeleton`` already where L1 entries would have to go.
    """
    layers, merges, repeats = _merge(old, new)
    caps = _cap(layers)
    capsule = Capsule(
        version=VERSIONS[-1],
        meta=lineage.meta(old, new),
        chain=lineage.chain(old),
        seed=new.seed if new.seed.text else old.seed,
        **layers,
    )
    kept, sheds = shed(capsule, budget=LIMIT, stamp=stamp, skeleton=not keep_skeleton)
    losses = caps + sheds
    return StitchResult(
        canonical(kept, stamp=stamp),
        (*merges, *losses),
        (*lineage.doubts(old, new), *repeats, *_told(new, losses)),
    )


def _merge(old: Capsule, new: Capsule) -> tuple[dict[str, Any], list[Row], list[str]]:
    """Each layer's entries by key: first place, last content (§7.1).

    And a row for each entry that gave way, and the keys that one input has
    more than once.
    """
    layers: dict[str, Any] = {}
    rows: list[Row] = []
    repeats: list[str] = []
    for name, attribute, entries_of, key_of in _TABLE:
        olds, news = entries_of(old), entries_of(new)
        # A dict keeps a key's first place and takes its last value.
        first, second = {key_of(e): e for e in olds}, {key_of(e): e for e in news}
        merged = {**first, **second}
        layers[attribute] = tuple(merged.values())
        if len(merged) < len(olds) + len(news):
            rows += _replaced(name, (*olds, *news))
        if len(first) < len(olds):
            repeats += _repeated("older", name, olds)
        if len(second) < len(news):
            repeats += _repeated("newer", name, news)
    return layers, rows, repeats


def _replaced(layer: str, entries: Sequence[Any]) -> Iterator[Row]:
    """A row for each entry that a later one of its key replaces."""
    key_of = identity(layer)
    last: dict[Any, str] = {}
    for entry, line in zip(entries, entry_lines(layer, entries), strict=True):
        key = key_of(entry)
        if (earlier := last.get(key)) is not None:
            reason = "the same entry again" if earlier == line else "replaced by a later one"
            yield row("merge", layer, earlier, reason)
        last[key] = line


def _repeated(which: str, layer: str, entries: Sequence[Any]) -> Iterator[str]:
    names = [label(layer, entry) for entry in entries]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        yield (
            f"the {which} capsule has {name!r} {names.count(name)} times in {layer}: "
            "the last one counts"
        )


#: Which entries a cap keeps, where it is not the earliest (§7.2).
_KEPT = {"L1": "the most recent stay", "L5": "the most urgent stay"}


def _cap(layers: dict[str, Any]) -> list[Row]:
    """Bring each layer within its cap (§7.2); a row for each entry over it."""
    rows: list[Row] = []
    for layer in LAYERS:
        entries = layers[layer.attribute]
        if len(entries) <= layer.cap:
            continue
        surplus = _surplus(layer, entries)
        reason = f"over the cap of {layer.cap}: {_KEPT.get(layer.key, 'the earliest stay')}"
        rows += [row("cap", layer.key, entries[at].line, reason) for at in surplus]
        layers[layer.attribute] = tuple(e for at, e in enumerate(entries) if at not in surplus)
    return rows


def _surplus(layer: Layer, entries: Sequence[Any]) -> list[int]:
    """The positions of the entries over the cap, in the order in which they go."""
    over = len(entries) - layer.cap
    if layer.key == "L1":
        return list(range(over))
    places = range(len(entries) - 1, -1, -1)
    if layer.key == "L5":
        return sorted(places, key=lambda at: -PRIORITIES.index(entries[at].priority))[:over]
    return list(places[:over])


def _told(new: Capsule, losses: Sequence[Row]) -> Iterator[str]:
    """What to warn of: caps passed, L1 entries given up, entries of the newer capsule lost."""
    caps = Counter(lost["layer"] for lost in losses if lost["step"] == "cap")
    for layer in LAYERS if caps else ():
        if layer.key in caps:
            yield f"{layer.key}: {caps[layer.key]} more than its cap of {layer.cap}, dropped"
    if given_up := sum([lost["step"] == "skeleton" for lost in losses]):
        yield f"L1: the oldest {given_up} dropped, since nothing else was left to drop"
    lines = all_lines(new) if losses else {}
    for lost in losses:
        if lost["entry"] in lines[lost["layer"]]:
            yield f"{lost['layer']}: an entry of the newer capsule is dropped: {lost['entry']}"
