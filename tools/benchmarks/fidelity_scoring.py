"""What a session knew, and what of it a text or an object still has.

An item is a constraint, a rejected option, a decision, an open loop or an artifact (a file
read or changed, a command with its outcome), as it was pushed. An object has it if it says
the very same; a capsule, or a piece of one, has it if a line of its layer says it whole or
trimmed at a word, an artifact wherever its path or command stands.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from cso import Provenance
from pcsf_lark.api import parse
from pcsf_lark.emit import canonical
from pcsf_lark.passes.cso_text import escaped
from pcsf_lark.passes.to_cso import DECIDED, RULED_OUT
from pcsf_lark.relay.holding import is_same, is_short_for
from pcsf_lark.relay.pins import BINDING
from pcsf_lark.spec import LAYERS, LIMIT, PRIORITIES, SEP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cso import CognitiveStateObject
    from pcsf_lark.model import Capsule
    from pcsf_lark.relay import Incoming, Notes

__all__ = ["KINDS", "Held", "Item", "Tally", "items_of", "unrecorded"]

LOOPS = {priority: f"{priority} loops" for priority in PRIORITIES}
KINDS = ("constraints", "rejected", "decisions", *LOOPS.values(), "artifacts")
#: What a capsule's OUTCOME is that tells of a file, or of what was run.
TRAIL = ("changed: ", "ok: ", "failed: ")
CAPS = {layer.key: layer.cap for layer in LAYERS}
TYPES = {layer.key: layer.types for layer in LAYERS}
#: A path or command shorter than this would be found in any text.
_TELLING = 6


@frozen
class Item:
    """One thing that a session handed on; ``kind`` is one of KINDS."""

    kind: str
    text: str

    @property
    def open(self) -> bool:
        """Whether it is a loop."""
        return self.kind in LOOPS.values()


def items_of(given: Incoming) -> tuple[Item, ...]:
    """What a push hands on: of a capsule its lines, else what the object says.

    What remains of an object's goal and has no urgency in its capsule counts as the
    relay takes it: MED of a log, HIGH of another object.
    """
    if given.kind == "capsule" and given.capsule is not None:
        return tuple(dict.fromkeys(_told(given.capsule)))
    return tuple(dict.fromkeys(_stated(given)))


def _told(capsule: Capsule) -> Iterator[Item]:
    for entry in capsule.skeleton:
        if entry.type == "CONSTRAINT":
            yield Item("constraints", entry.fact)
        elif entry.type in DECIDED:
            yield Item("decisions", entry.fact)
        elif entry.fact.startswith(TRAIL):
            yield Item("artifacts", entry.fact)
    yield from (Item("rejected", entry.option) for entry in capsule.negative)
    for axis in capsule.relation:
        if axis.dimension == "BOUNDARY":
            yield Item("constraints", axis.state)
    yield from (Item(LOOPS[loop.priority], loop.description) for loop in capsule.loops)


def _stated(given: Incoming) -> Iterator[Item]:
    cso, capsule = given.cso, given.capsule
    yield from (Item("constraints", text) for text in cso.constraints)
    for one in cso.decisions:
        if not one.choice.startswith(RULED_OUT):
            yield Item("decisions", one.choice)
        yield from (Item("rejected", option) for option in one.alternatives)
    urgency = {loop.description: loop.priority for loop in capsule.loops} if capsule else {}
    for text in cso.goal_state.remaining:
        yield Item(
            LOOPS[_urgency(urgency, text) or ("MED" if given.kind == "log" else "HIGH")], text
        )
    for text in cso.open_questions:
        if priority := _urgency(urgency, text):
            yield Item(LOOPS[priority], text)
    for fact in cso.established_facts:
        if fact.provenance is Provenance.TOOL:
            yield Item("artifacts", fact.statement)


def _urgency(known: Mapping[str, str], text: str) -> str:
    said = escaped(text)
    return next((p for t, p in known.items() if t == said or is_short_for(t, said)), "")


@frozen
class Held:
    """What a text or an object says, by kind; loops under one name, whatever their urgency."""

    said: Mapping[str, frozenset[str]]
    text: str | None = None

    @classmethod
    def by_object(cls, cso: CognitiveStateObject) -> Held:
        """Read an object: all it holds, also what was superseded."""
        rows: dict[str, Iterable[str]] = {
            "constraints": cso.constraints,
            "rejected": [option for one in cso.decisions for option in one.alternatives],
            "decisions": [one.choice for one in cso.decisions],
            "loops": (*cso.goal_state.remaining, *cso.open_questions),
            "artifacts": [fact.statement for fact in cso.established_facts],
        }
        return cls({kind: frozenset(texts) for kind, texts in rows.items()})

    @classmethod
    def by_text(cls, text: str) -> Held:
        """Read a capsule, several, or a piece of one, line by line."""
        rows: dict[str, set[str]] = {}
        layer = ""
        for line in text.split("\n"):
            if line[:1] == "L" and line[2:3] == ":":
                layer = line[:2]
                continue
            for kind, said in _line(layer, line):
                rows.setdefault(kind, set()).add(said)
        return cls({kind: frozenset(texts) for kind, texts in rows.items()}, text)

    def has(self, item: Item) -> bool:
        """Whether it has an item."""
        kind = "loops" if item.open else item.kind
        if self.text is None or self.whole(item):
            return self.whole(item)
        said = escaped(item.text)
        if kind == "artifacts":
            shown = said.partition(": ")[2] or said
            return said in self.text or (len(shown) >= _TELLING and shown in self.text)
        return any(is_short_for(text, said) for text in self.said.get(kind, ()))

    def whole(self, item: Item) -> bool:
        """Whether it says an item in full."""
        there = self.said.get("loops" if item.open else item.kind, ())
        if self.text is None or item.text in there:
            return item.text in there
        said = escaped(item.text)
        return any(is_same(one, said) for one in there)


def _line(layer: str, line: str) -> Iterator[tuple[str, str]]:
    """What a line says: kind and text."""
    parts = line.split(SEP)
    if layer == "L4":
        dimension, _, state = line.partition(": ")
        if dimension in BINDING:
            yield from (("constraints", said) for said in (state, *state.split("; ")))
    elif len(parts) != 3:
        return
    elif layer == "L1" and parts[0] == "CONSTRAINT":
        yield "constraints", parts[1]
    elif layer == "L1" and parts[0] in DECIDED:
        yield "decisions", parts[1]
    elif layer == "L2":
        yield "rejected", parts[0]
    elif layer == "L5":
        yield "loops", parts[1]


@frozen
class Tally:
    """How many items there were, and how many were still there, by any key."""

    there: Counter[tuple[str, int, str]] = field(factory=Counter)
    of: Counter[tuple[str, int, str]] = field(factory=Counter)

    def count(self, who: str, hops: int, item: Item, held: Held) -> None:
        """Look for an item some hops later."""
        key = (who, hops, item.kind)
        self.of[key] += 1
        self.there[key] += held.has(item)

    def add(self, other: Tally) -> None:
        """Take another one in."""
        self.there.update(other.there)
        self.of.update(other.of)

    def share(self, who: str, hops: int, kind: str) -> float | None:
        """The share that is still there; None where there was none to look for."""
        key = (who, hops, kind)
        return self.there[key] / self.of[key] if self.of[key] else None


def unrecorded(
    cso: CognitiveStateObject, notes: Notes, urgent: Iterable[str], newest: Iterable[str]
) -> list[str]:
    """What the law forbids, said in words; empty where it is kept.

    ``urgent`` are the open HIGH loops by the account of who pushed them: each is in the
    object; each of them and of the object's constraints is in the head capsule, or on
    record as absent. Where all constraints and the ``newest`` of the loops fit together,
    each of those is in the head capsule.
    """
    there = {*cso.goal_state.remaining, *cso.open_questions}
    lost = [f"a HIGH loop is not in the object: {text}" for text in urgent if text not in there]
    if not notes.head:
        return lost
    held = Held.by_text(notes.head)
    told = {(one.kind, one.text) for one in notes.absent}
    must = [Item("constraints", text) for text in cso.constraints]
    must += [Item(LOOPS["HIGH"], text) for text in newest]
    fits = _fit(notes.head, must)
    for item in dict.fromkeys((*must, *(Item(LOOPS["HIGH"], text) for text in urgent))):
        whole = held.whole(item)
        if not whole and ("loop" if item.open else "constraint", item.text) not in told:
            lost.append(f"{item.kind}: neither in the head capsule nor on record: {item.text}")
        if item in must and fits and not whole:
            lost.append(f"{item.kind}: it would fit and is not in the head capsule: {item.text}")
    return lost


def _fit(head: str, items: Sequence[Item]) -> bool:
    """Whether some items fit into a capsule with nothing else beside them.

    Each has the line that the capsule has for it, else one of its own. What may not go
    stays: the frame, SEED, and the first two dimensions of L4.
    """
    capsule = parse(head)
    dimensions = list(dict.fromkeys(axis.dimension for axis in capsule.relation))[:2]
    axes = [axis for axis in capsule.relation if axis.dimension in dimensions]
    bare = evolve(capsule, skeleton=(), negative=(), internal=(), relation=tuple(axes), loops=())
    there = {entry.fact: entry.line for entry in capsule.skeleton if entry.type == "CONSTRAINT"}
    open_ = {loop.description: loop.line for loop in capsule.loops}
    bounds = [axis.state for axis in axes if axis.dimension in BINDING]
    bounds = [term.rstrip(".") for state in bounds for term in (state, *state.split("; "))]
    longest = max(TYPES["L5"], key=len)
    texts = [escaped(item.text) for item in items if not item.open]
    bound = [
        there.get(t, f"CONSTRAINT | {t} | hard constraint")
        for t in texts
        if t.rstrip(".") not in bounds
    ]
    texts = [escaped(item.text) for item in items if item.open]
    loops = [open_.get(text, f"{longest} | {text} | HIGH") for text in texts]
    size = len(canonical(bare)) + sum(len(line) + 1 for line in (*bound, *loops))
    return len(bound) <= CAPS["L1"] and len(loops) <= CAPS["L5"] and size <= LIMIT
