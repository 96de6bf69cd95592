"""Where each id of a pushed object goes: to an item that says the same, away, or in as new."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from attrs import define, field

from cso import LIVE, Decision, Edge, Fact, Record, Status, graph
from cso.altered import altered
from cso.encode import item_digest
from cso.errors import ConflictError
from cso.model import Link, RecordKind, says
from pcsf_lark.passes.complement import NAME as IMPORT
from pcsf_lark.relay.growth import GREW, answer_ref
from pcsf_lark.relay.notes import Withheld

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from cso import CognitiveStateObject
    from cso.model import Item
    from pcsf_lark.relay.growth import Growth

__all__ = ["Taking"]

_IMPORTED = f"{IMPORT}."
_HELD = LIVE | {Status.ESCALATED}


def _content(item: Item) -> Hashable:
    """What makes two items say the same, whatever their ids."""
    if isinstance(item, Fact):
        return item.statement, item.provenance, item.provenance_ref
    return item.choice, item.rationale, item.alternatives


@define
class Taking:
    """One object being taken up: where each of its ids goes."""

    mark: str
    window: int
    there: Mapping[str, Item]
    said: Mapping[Hashable, Item]
    answers: Mapping[str, str]
    head: CognitiveStateObject | None
    names: dict[str, str] = field(factory=dict)
    new: dict[str, Item] = field(factory=dict)
    used: set[str] = field(factory=set)
    dead: set[str] = field(factory=set)
    supports: dict[str, set[str]] = field(factory=dict)
    withheld: list[Withheld] = field(factory=list)
    known: list[str] = field(factory=list)
    growth: Growth | None = None
    ends: dict[str, Item] = field(factory=dict)
    again: list[str] = field(factory=list)

    @classmethod
    def of(
        cls, head: CognitiveStateObject | None, mark: str, window: int, growth: Growth | None
    ) -> Taking:
        """Index the head by id and by content, what holds before what does not."""
        there = head.items() if head else {}
        said: dict[Hashable, Item] = {}
        for item in there.values():
            key = _content(item)
            if key not in said or said[key].status not in _HELD:
                said[key] = item
        answers = {e.question: e.answer_ref for e in head.resolved_questions} if head else {}
        return cls(mark, window, there, said, answers, head, growth=growth)

    def place(self, item: Item) -> None:
        """Decide where an item goes: to one that is there, away, or in as new."""
        twin = self.said.get(_content(item))
        if self.growth is not None:
            mine = self.growth.current.get(item.id)
            if mine is not None and _content(mine) != _content(item):
                self.ends[item.id] = mine
            twin = mine or self.growth.ended.get(item.id) or self.others(twin)
        if twin is None or item.id in self.ends:
            name = self.free(item.id)
            self.names[item.id] = name
            self.used.add(name)
            self.new[item.id] = item
            if item.status not in _HELD:
                self.dead.add(name)
            return
        self.names[item.id] = twin.id
        self.known.append(twin.id)
        if twin.status not in _HELD:
            self.dead.add(twin.id)
            if item.status in _HELD:
                heir = f" by {twin.superseded_by}" if twin.superseded_by else ""
                reason = f"{twin.status.value.lower()}{heir} here, as {twin.id}"
                self.withheld.append(Withheld(item.id, says(item), reason))

    def others(self, twin: Item | None) -> Item | None:
        """The twin, unless the log itself had ended it: then it may say so again."""
        if twin is None or self.growth is None or twin.status in _HELD:
            return twin
        return None if twin.id in self.growth.own else twin

    def revisions(self) -> list[Record]:
        """The records of what the log says otherwise by now."""
        return [
            Record(
                target=old.id,
                superseded_by=self.names[name],
                because=GREW,
                window=self.window,
                kind=RecordKind.REVISION,
            )
            for name, old in self.ends.items()
        ]

    def free(self, name: str) -> str:
        """An id that nothing has: its own, or with the mark in front."""
        if name.startswith(_IMPORTED):
            name = f"{self.mark}.{name.removeprefix(_IMPORTED)}"
        if name not in self.there and name not in self.used:
            return name
        for number in range(1, 100):
            tail = f".{number}" if number > 1 else ""
            made = f"{self.mark}{tail}.{name}"
            made = made if len(made) <= 128 else f"{self.mark}{tail}.{_short(name)}"
            if made not in self.there and made not in self.used:
                return made
        raise ConflictError(f"no free id for {name!r:.80}", at=name)

    def renamed(self, item: Item) -> Item:
        """The item under its new id, with the ids it names as they are now."""
        changes: dict[str, Any] = {
            "window_origin": self.window,
            "supersedes": self.link(item),
            "superseded_by": self.names.get(item.superseded_by) if item.superseded_by else None,
        }
        if isinstance(item, Fact):
            return self.marked(altered(item, fact_id=self.names[item.id], **changes))
        rests = tuple(dict.fromkeys(self.names.get(on, on) for on in item.depends_on))
        name = self.names[item.id]
        rests = tuple(on for on in rests if on != name)
        return self.marked(altered(item, decision_id=name, depends_on=rests, **changes))

    def link(self, item: Item) -> Link | None:
        """What it supersedes: of the head only the very item, of its own under its new id."""
        if item.id in self.ends:
            ended = self.ends[item.id]
            return Link(ended.id, item_digest(ended))
        if item.supersedes is None:
            return None
        name = self.names.get(item.supersedes.id, item.supersedes.id)
        old = self.there.get(name)
        if old is not None and item_digest(old) != item.supersedes.digest:
            return None
        return altered(item.supersedes, id=name)

    def marked(self, item: Item) -> Item:
        """The item, as awaiting revision if it rests on what does not hold."""
        if item.status not in (Status.VALID, Status.STALE):
            return item
        rests = self.supports.get(item.id, set())
        if isinstance(item, Decision):
            rests = rests.union(item.depends_on)
        if rests & self.dead:
            return altered(item, status=Status.NEEDS_REVISION)
        return item

    def edges(self, given: CognitiveStateObject) -> tuple[Edge, ...]:
        """The edges under today's ids, without those that would close a cycle."""
        below: dict[str, list[str]] = {}
        if self.head is not None:
            for dependent, on in graph.pairs(self.head, tools=False):
                below.setdefault(dependent, []).append(on)
        kept: dict[tuple[str, str], Edge] = {}
        for edge in given.dependency_graph:
            dependent = self.names.get(edge.dependent, edge.dependent)
            on = self.names.get(edge.depends_on, edge.depends_on)
            pair = (dependent, on)
            if dependent in self.there:
                item = self.there[dependent]
                if on in below.get(dependent, ()):
                    continue
                # An item of the head neither closes a cycle nor comes to rest on what fell.
                if on in self.dead or item.status not in _HELD or _reaches(below, on, dependent):
                    said = f"{dependent} rests on {on}"
                    self.withheld.append(Withheld("dependency", said, "it would not hold here"))
                    continue
            kept[pair] = altered(edge, dependent=dependent, depends_on=on)
            below.setdefault(dependent, []).append(on)
            self.supports.setdefault(dependent, set()).add(on)
        return tuple(kept.values())

    def answered(self, question: str) -> bool:
        """Whether the head has an answer to a question; then it is withheld."""
        if question not in self.answers:
            return False
        if self.growth is not None and self.answers[question] == answer_ref(self.growth.log):
            self.again.append(question)
            return True
        reason = f"answered here: {self.answers[question]}"
        self.withheld.append(Withheld("open_questions", question, reason))
        return True


def _short(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _reaches(below: Mapping[str, Iterable[str]], start: str, goal: str) -> bool:
    seen, queue = {start}, [start]
    while queue:
        name = queue.pop()
        if name == goal:
            return True
        fresh = [on for on in below.get(name, ()) if on not in seen]
        seen.update(fresh)
        queue.extend(fresh)
    return False
