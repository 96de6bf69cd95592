"""A log that is pushed again as it grew: what its longer draft says takes the earlier one's place.

Ids of a draft name their log (`KIND.LOG.DIGEST`) and stay as it grows. So of the items
that earlier drafts of a log left in a head, what the longer one says alike stands;
what it says otherwise supersedes, recorded as REVISION; what it no longer says is
INVALIDATED; and what was open for an earlier draft and is not for this one is closed,
recorded as ADVANCE or as an answer. Nothing of another log, and nothing that a person
changed, is touched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

import cso as state_objects
from cso import LIVE, Decision, Fact, Status
from cso.altered import altered
from cso.errors import ContentError, CycleError
from pcsf_lark.relay.notes import LogRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cso import CognitiveStateObject
    from cso.model import Item
    from pcsf_lark.relay.incoming import Incoming
    from pcsf_lark.relay.notes import Notes

__all__ = ["GREW", "Growth", "answer_ref", "closed", "noted", "open_texts"]

#: Why records of it say that something ended.
GREW = "the log went on"
_GONE = "a longer draft of its log has it no more"
_HELD = LIVE | {Status.ESCALATED}
_NAME = r"(?:^|\.)([a-z]+\.{}\.[0-9a-f]{{12}})\Z"


def open_texts(state: CognitiveStateObject) -> dict[str, None]:
    """All that is open in a state."""
    return dict.fromkeys((*state.goal_state.remaining, *state.open_questions))


@frozen
class Growth:
    """What a head has of a log, by the ids its drafts give.

    ``current`` holds what stands today; ``ended`` what somebody else ended.
    """

    log: str
    current: Mapping[str, Item] = field(factory=dict)
    ended: Mapping[str, Item] = field(factory=dict)
    own: frozenset[str] = frozenset()

    @classmethod
    def of(cls, head: CognitiveStateObject | None, log: str) -> Growth | None:
        """Index a head; None where there is no log or the head has nothing of it."""
        if head is None or not log:
            return None
        named = re.compile(_NAME.format(re.escape(log)))
        items = head.items()
        own = {name: found[1] for name in items if (found := named.search(name))}
        if not own:
            return None
        gone = {r.target for r in head.revisions if r.because == _GONE}
        current: dict[str, Item] = {}
        ended: dict[str, Item] = {}
        for name, base in own.items():
            item = items[name]
            if item.status in _HELD:
                current[base] = item
            elif (item.superseded_by or name) not in own or not (
                name in gone or item.superseded_by
            ):
                ended[base] = item
        return cls(log, current, ended, frozenset(own))

    def taken(self, incoming: Incoming) -> CognitiveStateObject:
        """The pushed object, with what the whole log says of what the head has of it.

        Only where the log was cut (`--since`) these are two.
        """
        given, whole = incoming.cso, incoming.whole
        if whole is None or whole is given:
            return given
        there = given.items()
        more = [i for n, i in whole.items().items() if n in self.current and n not in there]
        names = there.keys() | {item.id for item in more}
        edges = dict.fromkeys((*given.dependency_graph, *whole.dependency_graph))
        return altered(
            given,
            established_facts=(*given.established_facts, *(i for i in more if isinstance(i, Fact))),
            decisions=(*given.decisions, *(i for i in more if isinstance(i, Decision))),
            dependency_graph=tuple(e for e in edges if {e.dependent, e.depends_on} <= names),
        )

    def settled(
        self, draft: CognitiveStateObject, incoming: Incoming, known: Iterable[str]
    ) -> CognitiveStateObject:
        """The draft without what the log no longer says; what it says again is affirmed.

        ``known`` are the items of the head that the push says alike.
        """
        if incoming.whole is None:
            return draft
        said = incoming.whole.items()
        for base, item in self.current.items():
            if base not in said and incoming.has(getattr(item, "provenance_ref", "")):
                draft, _ = state_objects.invalidate(draft, item.id, _GONE)
        before = {item.id: item.status for item in self.current.values()}
        items = draft.items()
        for name in known:
            if before.get(name) is Status.VALID and items[name].status is Status.NEEDS_REVISION:
                try:
                    draft = state_objects.reaffirm(draft, name)
                except (ContentError, CycleError):
                    continue  # it rests on what somebody else ended: it waits, as marked
        return draft


def closed(
    draft: CognitiveStateObject, before: Notes | None, incoming: Incoming
) -> CognitiveStateObject:
    """The draft without what an earlier draft of the log had open and this one has not."""
    row = before.log(incoming.log) if before is not None and incoming.log else None
    if row is None or incoming.whole is None:
        return draft
    still = {**open_texts(incoming.whole), **open_texts(incoming.cso)}
    over = [text for text, at in row.open.items() if text not in still and incoming.has(at)]
    done = [text for text in over if text in draft.goal_state.remaining]
    if done:
        draft = state_objects.advance(draft, done)
    for text in over:
        if text in draft.open_questions:
            draft = state_objects.answer(draft, text, answer_ref(incoming.log))
    return draft


def answer_ref(log: str) -> str:
    """Where the answer to a question of a log is told to be."""
    return f"log {log}: {GREW}"


def noted(
    before: Notes | None, incoming: Incoming, state: CognitiveStateObject
) -> tuple[LogRow, ...]:
    """The rows of logs after a push: what it has open is its own from now on."""
    rows = before.logs if before is not None else ()
    if not incoming.log:
        return rows
    there = open_texts(state)
    mine = {text: at for text, at in incoming.places.items() if text in there}
    old = before.log(incoming.log) if before is not None else None
    # Where the log was cut, what lies before is as open as it was.
    kept = {text: at for text, at in (old.open if old else {}).items() if text in there}
    others = [
        evolve(row, open={t: at for t, at in row.open.items() if t in there and t not in mine})
        for row in rows
        if row.log != incoming.log
    ]
    return (*others, LogRow(incoming.log, incoming.size, incoming.last, {**kept, **mine}))
