"""L3 is written in the first person.

The layer holds what the session itself held. Told from outside ("the assistant
was unsure") it becomes a report about somebody, and the next session reads it
as such instead of taking the state up.

Write `I was unsure ...`, or leave the subject out: `Leaning toward ...`.

Misses: a third person who is named (`Claude` is known), a report without any
subject, and what is told of `the model` or `the agent` by words that fit a
machine as well (`expects`, `holds`, `sees`). Statements about things, such as
`The lag is worse at night`, are taken for what the session held. Only English
is known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._prose import listed, words
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q011"
NAME = "third-person-state"
SEVERITY = Severity.WARNING
SECTION = "2.7"
SINCE = "0.1.0"
NEEDS = "person"
_STATE = "I never saw the replica's lag under load."
GOOD = (
    example(),
    example(_STATE, "Leaning toward a second rehearsal."),
    example(_STATE, "The model of the disk was never named to me."),
    example(_STATE, "It is uncertain whether lag matters."),
    example(_STATE, "The model expects inputs of 224 pixels and has never seen snow."),
    example(_STATE, "The agent holds a lock while it waits."),
)
BAD = (
    example(_STATE, "The assistant never saw the replica's lag."),
    example(_STATE, "AI suspects the disk."),
    example(_STATE, "She believes the disk is slow."),
    example(_STATE, "The agent was unsure about disk I/O."),
    example(_STATE, "You were not sure of the disk."),
)

#: Who the writer may be called. What a project may be about, too (a model, an agent), is
#: told to hold something only by words that no machine part is described with.
_SELVES = frozenset({"ai", "assistant"})
_THINGS = frozenset({"agent", "bot", "chatbot", "chatgpt", "claude", "gemini", "gpt", "llm", "model", "it"})  # fmt: skip
_PERSONS = frozenset({"he", "she", "they"})
_FIRST = re.compile(r"\b(?:i(?:'(?:d|ll|m|ve))?|me|mine|my|myself|our|us|we)\b(?!/)", re.IGNORECASE)
_MINDS = listed(
    "believed believes doubted doubts feels felt hoped hopes intended intends suspects suspected thinks thought "
    "unsure wanted wants wondered wonders worries worried"
)
_HOLDS = listed(
    "expected expects held holds leaned leans preferred prefers saw sees steered steers"
)
#: Words that may stand between a person and what it held.
_BETWEEN = listed(
    "also always am are could did does feels felt had has is just never not often seemed seems still was were would"
)
_AFTER = listed(
    "afraid ask asked certain confident convinced curious inclined leaning steering sure tempted uncertain unconvinced wondering"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each content that begins with a third person who holds something."""
    for entry in subject.capsule.internal if subject.capsule else ():
        if _FIRST.search(entry.content):
            continue
        if _told(words(entry.content)) and (span := entry.field_span("content")):
            yield Finding(
                span,
                "L3 speaks of its writer in the third person",
                "write in the first person: `I ...`",
            )


def _told(said: list[str]) -> bool:
    """Whether somebody other than `I` is said to hold something, right at the start."""
    at = 1 if said and said[0] in ("the", "this", "an") else 0
    who, rest = (said[at], said[at + 1 :]) if len(said) > at else ("", [])
    between = 0
    while between < min(len(rest), 3) and rest[between] in _BETWEEN:
        between += 1
    does = rest[between] if between < len(rest) else ""
    if who == "you":
        return bool(between) and (does == "unsure" or does in _AFTER)
    if who in _THINGS and not (who == "it" and does in _AFTER):
        return does in _MINDS or (bool(between) and does in _AFTER)
    if who in _SELVES or who in _PERSONS:
        return does in _MINDS or does in _HOLDS or (bool(between) and does in _AFTER)
    return False
