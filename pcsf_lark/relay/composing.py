"""The head capsule: what is carried on, the new capsule stitched to it, constraints kept.

A pure function of the older capsule, the newer one and the object, so that
whoever has them can make it again and compare. The stitch is that of §7; around
it:

1. Lines whose item no longer holds leave the older capsule; what awaits revision
   becomes an uncertainty.
2. Constraints of the object, and its HIGH loops, newest first, are put back where
   the stitch dropped or never had them, and said in full where it has them
   shortened. Less worth makes room, in the order of §5,
   then the oldest L1 entries. What then does not fit stays out, and is named.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from pcsf_lark.emit import canonical
from pcsf_lark.emit.lines import all_lines
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.errors import Unfittable
from pcsf_lark.model import Capsule, InternalEntry
from pcsf_lark.passes import lineage
from pcsf_lark.passes.fit import fit
from pcsf_lark.passes.stitch import stitch
from pcsf_lark.relay.holding import Standing
from pcsf_lark.relay.notes import Absent, Lost
from pcsf_lark.relay.pins import pins, shown
from pcsf_lark.relay.room import Room, in_full, with_pin
from pcsf_lark.spec import LAYERS, LIMIT, VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cso import CognitiveStateObject
    from pcsf_lark.relay.notes import Loop

__all__ = ["Composition", "compose"]


@frozen
class Composition:
    """A head capsule, every line that left it, and what it should hold and does not."""

    capsule: Capsule
    text: str
    dropped: tuple[Lost, ...]
    absent: tuple[Absent, ...]
    warnings: tuple[str, ...] = ()


def compose(
    old: Capsule | None,
    new: Capsule | None,
    state: CognitiveStateObject,
    loops: Sequence[Loop],
    lost: Mapping[str, str] | None = None,
) -> Composition | None:
    """The head capsule of ``state``; None where there is neither capsule.

    Of a merge ``lost`` are the texts that gave way, with the reason (empty where none did):
    then both capsules are heads of before, and neither keeps what does not hold.
    """
    reasons: dict[tuple[str, str], str] = {}
    kept = None if old is None else _standing(old, state, reasons, lost)
    fresh = new if new is None or lost is None else _standing(new, state, reasons, lost)
    base, warnings = _stitched(kept, fresh, reasons)
    if base is None:
        return None
    room, out = Room.of(base), list[Absent]()
    for pin in pins(state, loops, new):
        form = shown(room.capsule, pin)
        if form == "whole":
            room = room.fixing(pin)
            continue
        if form:
            fuller = in_full(room, pin, reasons)
            if fuller is None:
                out.append(Absent(pin.kind, pin.text, "in the head capsule, but shortened"))
            room = fuller or room.fixing(pin)
            continue
        made = with_pin(room, pin, reasons)
        if made is None:
            out.append(Absent(pin.kind, pin.text, "no room in the head capsule"))
        else:
            room = made
    final = room.capsule
    text = verbatim(final).decode("ascii")
    gone = _gone(final, [one for one in (old, new) if one is not None], reasons)
    return Composition(final, text, gone, tuple(out), warnings)


def _stitched(
    old: Capsule | None, new: Capsule | None, reasons: dict[tuple[str, str], str]
) -> tuple[Capsule | None, tuple[str, ...]]:
    """Both capsules as one, with the stitch's reasons noted."""
    if new is None:
        return old, ()
    new = _plain(new, reasons)
    if old is None:
        return new, ()
    try:
        done = stitch(old, new)
    except Unfittable as error:
        # What both must keep is too much: the older one gives way.
        for layer, lines in all_lines(old).items():
            reasons.update({(layer, line): "no room beside the newer capsule" for line in lines})
        lone = evolve(
            new, version=VERSIONS[-1], meta=lineage.meta(old, new), chain=lineage.chain(old)
        )
        return _plain(lone, reasons, new), (f"the older capsule gave way: {error}",)
    for row in done.log:
        reasons.setdefault((row["layer"], row["entry"]), row["reason"])
    odd = tuple(told for told in done.warnings if "is dropped" not in told)
    return done.capsule, odd


def _plain(
    capsule: Capsule, reasons: dict[tuple[str, str], str], otherwise: Capsule | None = None
) -> Capsule:
    """A capsule as a head: spaced and unstamped; ``otherwise``, or as it is, if that can't be."""
    bare = evolve(capsule, integrity=None, layout="spaced", final_lf=True)
    if len(canonical(bare)) <= LIMIT:
        return bare
    try:
        done = fit(bare)
    except Unfittable:
        return otherwise or capsule
    for row in done.dropped:
        reasons.setdefault((row["layer"], row["entry"]), row["reason"])
    return done.capsule


def _standing(
    old: Capsule,
    state: CognitiveStateObject,
    reasons: dict[tuple[str, str], str],
    lost: Mapping[str, str] | None = None,
) -> Capsule:
    """A capsule without what no longer holds."""
    standing = Standing.of(state)
    if lost:
        standing = standing.without(lost)
    if standing.quiet:
        return old
    changes: dict[str, Any] = {}
    doubts: list[InternalEntry] = []
    for layer in LAYERS:
        kept = []
        for entry in getattr(old, layer.attribute):
            verdict = standing.judge(layer.key, entry)
            if not verdict:
                kept.append(entry)
                continue
            reasons[layer.key, entry.line] = verdict.reason
            if verdict.doubt:
                doubts.append(InternalEntry("UNCERTAINTY", verdict.doubt))
        changes[layer.attribute] = tuple(kept)
    room = LAYERS[2].cap - len(changes["internal"])
    changes["internal"] += tuple(doubts[: max(room, 0)])
    lighter = evolve(old, **changes)
    return (
        lighter
        if len(canonical(lighter)) <= LIMIT
        else evolve(lighter, internal=changes["internal"][: len(changes["internal"]) - len(doubts)])
    )


def _gone(
    final: Capsule, inputs: Iterable[Capsule], reasons: dict[tuple[str, str], str]
) -> tuple[Lost, ...]:
    """Each line of the inputs that the result lacks, once, with its reason."""
    there = {layer: set(lines) for layer, lines in all_lines(final).items()}
    found: dict[tuple[str, str], Lost] = {}
    for capsule in inputs:
        for layer, lines in all_lines(capsule).items():
            for line in lines:
                if line not in there[layer]:
                    reason = reasons.get((layer, line), "to make room")
                    found[layer, line] = Lost(layer, line, reason)
    return tuple(found.values())
