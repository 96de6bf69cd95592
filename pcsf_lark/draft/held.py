"""L3: what the assistant itself voiced and still holds at the end.

Laws: quoted from its visible words, never from its thinking, never guessed; a doubt that a
later run answered is held no more; one entry a type, the last.

    UNCERTAINTY   a doubt of the last stretch, nothing having been run since
    DIRECTION     the step announced last, while plan items are open
    UNRESOLVED    a choice put to the user at the end, and not answered
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.draft.cues import (
    ANNOUNCES,
    ASKS_FOR,
    COURTESY,
    HEDGES,
    LOOKS,
    STEPS,
    content_words,
)
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.loops import open_items
from pcsf_lark.draft.phrases import clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.draft.record import Record

__all__ = ["internal"]


def internal(record: Record) -> list[Finding]:
    """The findings of L3, at most one of each type."""
    found = [*_doubt(record), *_direction(record), *_question(record)]
    return [item for item in found if record.new(item.place)]


def _doubt(record: Record) -> Iterator[Finding]:
    ran = max((max(a.index, a.result) for a in record.actions if not a.by_user), default=-1)
    asked = max(record.turns(), default=-1)
    for index in reversed(record.spoken("assistant")):
        if index < max(ran, asked):
            return
        for line in reversed(record.sentences(index)):
            if line.asks or COURTESY.search(line.text) or len(content_words(line.text)) < 4:
                continue
            if HEDGES.search(line.text):
                yield Finding("L3", ("UNCERTAINTY", clause(line.text)), (index,), 2)
                return


def _direction(record: Record) -> Iterator[Finding]:
    said = record.spoken("assistant")
    if not said or not any(open_items(record)) or said[-1] < max(record.turns(), default=-1):
        return
    for line in record.sentences(said[-1]):
        announced = any(cue.search(line.text) for cue in (ANNOUNCES, LOOKS, STEPS))
        if announced and not line.asks and len(content_words(line.text)) >= 4:
            yield Finding("L3", ("DIRECTION", clause(line.text)), (said[-1],), 1)
            return


def _question(record: Record) -> Iterator[Finding]:
    said = record.spoken("assistant")
    if not said or said[-1] < max(record.turns(), default=-1):
        return
    lines = record.sentences(said[-1])
    if not lines or not record.reading.texts[said[-1]].rstrip().endswith("?"):
        return
    last = lines[-1]
    polite = COURTESY.search(last.text) or ASKS_FOR.search(last.text)
    if last.asks and not polite and len(content_words(last.text)) >= 4:
        yield Finding("L3", ("UNRESOLVED", clause(last.text)), (said[-1],), 3)
