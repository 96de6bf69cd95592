"""Making room in a capsule for a line that must be in it: what gives way, in which order.

The steps are those of §5, the boundary and the HIGH loops that must stay left
out; then the oldest L1 entries. A line over a layer's cap makes its own layer give
way alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from pcsf_lark.emit import canonical
from pcsf_lark.relay.holding import is_short_for
from pcsf_lark.relay.pins import JOIN, holds
from pcsf_lark.spec import LAYERS, LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pcsf_lark.model import Capsule, Entry
    from pcsf_lark.relay.pins import Pin

__all__ = ["Room", "in_full", "with_pin"]

_ATTRIBUTES = {layer.key: layer.attribute for layer in LAYERS}
_CAPS = {layer.key: layer.cap for layer in LAYERS}
_TEXTS = {"SkeletonEntry": "fact", "RelationEntry": "state", "LoopEntry": "description"}
_FOR = {"constraint": "made room for a constraint", "loop": "made room for a HIGH loop"}


@frozen
class Room:
    """A capsule, its size, and the lines (layer, text) that may not go any more."""

    capsule: Capsule
    size: int
    fixed: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, capsule: Capsule) -> Room:
        """Nothing is fixed yet."""
        return cls(capsule, len(canonical(capsule)))

    def fixing(self, pin: Pin) -> Room:
        """The same, with the line that shows a pin fixed."""
        place = holds(self.capsule, pin)
        return self if place is None else evolve(self, fixed=self.fixed | {place})


def with_pin(room: Room, pin: Pin, reasons: dict[tuple[str, str], str]) -> Room | None:
    """The capsule with one more line, and with less of what may go; None if it can't be.

    ``reasons`` gets a row for each line that went, if it could be.
    """
    victims = [v for v in _victims(room.capsule) if (v[0], v[1].line) not in room.fixed]
    crowded = len(getattr(room.capsule, _ATTRIBUTES[pin.layer])) + 1 - _CAPS[pin.layer]
    gone = [(layer, entry.line) for layer, entry in victims if layer == pin.layer]
    gone = gone[: max(crowded, 0)]
    if len(gone) < crowded:
        return None
    size = room.size + len(pin.entry.line) + 1 - sum(len(line) + 1 for _, line in gone)
    for layer, entry in victims:
        if size <= LIMIT:
            break
        if (layer, entry.line) not in gone:
            gone.append((layer, entry.line))
            size -= len(entry.line) + 1
    if size > LIMIT:
        return None
    for place in gone:
        reasons.setdefault(place, _FOR[pin.kind])
    capsule = _with(_without(room.capsule, gone) if gone else room.capsule, pin)
    return Room(capsule, len(canonical(capsule)), room.fixed | {(pin.layer, pin.entry.line)})


def in_full(room: Room, pin: Pin, reasons: dict[tuple[str, str], str]) -> Room | None:
    """The capsule with the line that shows a pin shortened said in full; None if it can't be.

    Made room for like a line of its own.
    """
    place = holds(room.capsule, pin)
    if place is None:
        return None
    name = _ATTRIBUTES[place[0]]
    entries = getattr(room.capsule, name)
    at = next(n for n, entry in enumerate(entries) if entry.line == place[1])
    field = _TEXTS[type(entries[at]).__name__]
    whole = evolve(entries[at], **{field: _in_full(getattr(entries[at], field), pin.said)})
    kept = room.fixed | {place}
    gone: list[tuple[str, str]] = []
    size = room.size + len(whole.line) - len(place[1])
    for layer, entry in _victims(room.capsule):
        if size <= LIMIT:
            break
        if (layer, entry.line) not in kept:
            gone.append((layer, entry.line))
            size -= len(entry.line) + 1
    if size > LIMIT:
        return None
    reasons[place] = "said in full"
    for victim in gone:
        reasons.setdefault(victim, _FOR[pin.kind])
    changes: dict[str, Any] = {name: (*entries[:at], whole, *entries[at + 1 :])}
    fuller = evolve(room.capsule, **changes)
    capsule = _without(fuller, gone) if gone else fuller
    return Room(capsule, len(canonical(capsule)), room.fixed | {(place[0], whole.line)})


def _in_full(text: str, said: str) -> str:
    """A text with the term that is shortened said in full, the others as they are."""
    terms = text.split(JOIN)
    if len(terms) == 1 or is_short_for(text, said):
        return said
    return JOIN.join(said if is_short_for(term, said) else term for term in terms)


def _with(capsule: Capsule, pin: Pin) -> Capsule:
    """The line in its place: constraints at the end of L1, loops behind the HIGH ones."""
    name = _ATTRIBUTES[pin.layer]
    entries = list(getattr(capsule, name))
    at = len(entries)
    if pin.layer == "L5":
        at = sum(entry.priority == "HIGH" for entry in entries)
    changes: dict[str, Any] = {name: (*entries[:at], pin.entry, *entries[at:])}
    return evolve(capsule, **changes)


def _victims(capsule: Capsule) -> Iterator[tuple[str, Entry]]:
    """All lines that might go, what is worth least first."""
    first = list(dict.fromkeys(axis.dimension for axis in capsule.relation))[:2]
    steps: tuple[tuple[str, Callable[[Any], bool]], ...] = (
        ("L5", lambda loop: loop.priority == "LOW"),
        ("L4", lambda axis: axis.dimension not in first),
        ("L3", lambda _: True),
        ("L5", lambda loop: loop.priority == "MED"),
        ("L2", lambda _: True),
        ("L5", lambda loop: loop.priority == "HIGH"),
    )
    for layer, chosen in steps:
        for entry in reversed(getattr(capsule, _ATTRIBUTES[layer])):
            if chosen(entry):
                yield layer, entry
    for entry in capsule.skeleton:
        yield "L1", entry


def _without(capsule: Capsule, gone: list[tuple[str, str]]) -> Capsule:
    places = set(gone)
    changes: dict[str, Any] = {
        name: tuple(e for e in getattr(capsule, name) if (layer, e.line) not in places)
        for layer, name in _ATTRIBUTES.items()
    }
    return evolve(capsule, **changes)
