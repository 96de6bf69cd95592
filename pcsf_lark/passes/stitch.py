"""Stitching (§7, D17): two capsules of one chain become one that still fits.

Merge by key, trim to the caps, shed what does not fit. Only a stitch ever drops
an L1 entry, the oldest, where nothing else is left to drop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from pcsf_lark.emit.lines import entry_lines
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.errors import Unfittable
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


@frozen
class StitchResult:
    """The successor, a row for every line that is not in it, and what was odd."""

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
    merged, merges = _merge(old, new)
    capped, caps = _cap(merged)
    capsule = Capsule(
        version=VERSIONS[-1],
        meta=lineage.meta(old, new),
        chain=lineage.chain(old),
        seed=new.seed if new.seed.text else old.seed,
        **capped,
    )
    kept, sheds = _fitted(capsule, keep_skeleton=keep_skeleton, stamp=stamp)
    log = (*merges, *caps, *sheds)
    warnings = (*lineage.doubts(old, new), *_repeats("older", old), *_repeats("newer", new))
    return StitchResult(
        canonical(kept, stamp=stamp), log, (*warnings, *_losses(new, (*caps, *sheds)))
    )


def _merge(old: Capsule, new: Capsule) -> tuple[dict[str, Any], list[Row]]:
    """Each layer's entries by key: first place, last content (§7.1); and what gave way."""
    layers: dict[str, Any] = {}
    rows: list[Row] = []
    for layer in LAYERS:
        key_of = identity(layer.key)
        entries: dict[Any, Any] = {}
        for entry in (*getattr(old, layer.attribute), *getattr(new, layer.attribute)):
            key = key_of(entry)
            earlier = entries.get(key)
            if earlier is not None:
                reason = "the same again" if earlier == entry else "replaced by a newer one"
                rows.append(row("merge", layer.key, earlier.line, reason))
            entries[key] = entry
        layers[layer.attribute] = tuple(entries.values())
    return layers, rows


def _cap(layers: dict[str, Any]) -> tuple[dict[str, Any], list[Row]]:
    """Each layer within its cap (§7.2), and what was over it."""
    rows: list[Row] = []
    capped = {}
    for layer in LAYERS:
        entries = layers[layer.attribute]
        if len(entries) <= layer.cap:
            capped[layer.attribute] = entries
            continue
        surplus = _surplus(layer, entries)
        for at in surplus:
            reason = f"over the cap of {layer.cap}: {_KEPT.get(layer.key, 'the earliest')} stay"
            rows.append(row("cap", layer.key, entries[at].line, reason))
        capped[layer.attribute] = tuple(e for at, e in enumerate(entries) if at not in surplus)
    return capped, rows


#: Which entries a cap keeps, where it is not the earliest.
_KEPT = {"L1": "the most recent", "L5": "the most urgent"}


def _surplus(layer: Layer, entries: Sequence[Any]) -> list[int]:
    """The positions of the entries over the cap, in the order in which they go."""
    over = len(entries) - layer.cap
    if layer.key == "L1":
        return list(range(over))
    places = range(len(entries) - 1, -1, -1)
    if layer.key == "L5":
        return sorted(places, key=lambda at: -PRIORITIES.index(entries[at].priority))[:over]
    return list(places[:over])


def _fitted(capsule: Capsule, *, keep_skeleton: bool, stamp: bool) -> tuple[Capsule, list[Row]]:
    """The capsule within the limit: by autotrim, or after its oldest L1 entries are gone.

    Autotrim starts anew for each L1 entry given up, so that what those bytes
    can hold is not lost with it.
    """
    gone: list[Row] = []
    while True:
        try:
            kept, rows = shed(capsule, budget=LIMIT, stamp=stamp)
        except Unfittable:
            if keep_skeleton or not capsule.skeleton:
                raise
            oldest, *rest = capsule.skeleton
            gone.append(row("skeleton", "L1", oldest.line, "nothing else is left to drop"))
            capsule = evolve(capsule, skeleton=tuple(rest))
        else:
            return kept, gone + rows


def _repeats(which: str, capsule: Capsule) -> Iterator[str]:
    """The keys that stand twice in one input: only the last entry of each is carried on."""
    for layer, entries in capsule.layers:
        key_of = identity(layer)
        if len({key_of(entry) for entry in entries}) == len(entries):
            continue
        names = [label(layer, entry) for entry in entries]
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            yield (
                f"the {which} capsule has {name!r} {names.count(name)} times in {layer}: "
                "the last one counts"
            )


def _losses(new: Capsule, rows: Sequence[Row]) -> Iterator[str]:
    """Caps that were passed, L1 entries given up, and what of the newer capsule went with them."""
    for layer in LAYERS:
        if over := sum(r["step"] == "cap" and r["layer"] == layer.key for r in rows):
            yield f"{layer.key}: {over} more than its cap of {layer.cap}, dropped"
    if count := sum(r["step"] == "skeleton" for r in rows):
        yield f"L1: {count} of the oldest dropped, since nothing else was left to drop"
    lines = {key: entry_lines(key, entries) for key, entries in new.layers} if rows else {}
    for lost in rows:
        if lost["entry"] in lines[lost["layer"]]:
            yield f"{lost['layer']}: an entry of the newer capsule is dropped: {lost['entry']}"
