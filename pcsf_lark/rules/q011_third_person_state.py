"""L3 is written in the first person.

The layer holds what the session itself held. Told from outside ("the assistant
was unsure") it becomes a report about somebody, and the next session reads it
as such instead of taking the state up.

Write `I was unsure ...`, or leave the subject out: `Leaning toward ...`.

Misses: a third person who is named (`Claude` is known), and a report without
any subject. Statements about things, such as `The lag is worse at night`, are
taken for what the session held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._prose import words
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
    example(_STATE, "It is unclear whether lag matters."),
)
BAD = (
    example(_STATE, "The assistant never saw the replica's lag."),
    example(_STATE, "AI suspects the disk."),
    example(_STATE, "She believes the disk is slow."),
)

_SELVES = frozenset({"agent", "ai", "assistant", "bot", "chatbot", "chatgpt", "claude", "gemini", "gpt", "llm", "model"})  # fmt: skip
_PERSONS = frozenset({"he", "it", "she", "they"})
_FIRST = frozenset({"i", "id", "ill", "im", "ive", "me", "mine", "my", "myself", "our", "us", "we"})
_MINDS = frozenset(
    [
        "believed",
        "believes",
        "doubted",
        "doubts",
        "expected",
        "expects",
        "feels",
        "felt",
        "held",
        "holds",
        "hoped",
        "hopes",
        "intended",
        "intends",
        "leaned",
        "leans",
        "preferred",
        "prefers",
        "saw",
        "sees",
        "suspected",
        "suspects",
        "thinks",
        "thought",
        "wanted",
        "wants",
        "wondered",
        "wonders",
    ]
)
_STATES = frozenset({"did", "does", "has", "had", "is", "never", "seemed", "seems", "tried", "was", "would", "could"})  # fmt: skip


def check(subject: Subject) -> Iterator[Finding]:
    """Each content that begins with a third person who holds something."""
    for entry in subject.capsule.internal if subject.capsule else ():
        said = words(entry.content)
        if len(said) < 2 or _FIRST.intersection(said):
            continue
        start = said[0] in ("the", "this", "an")
        who, does = said[start], said[start + 1 : start + 2]
        held = _MINDS.intersection(does)
        if who in _SELVES:
            told = held or _STATES.intersection(does)
        else:
            told = held if who in _PERSONS else frozenset()
        if told and (span := entry.field_span("content")):
            yield Finding(
                span,
                "L3 speaks of its writer in the third person",
                "write in the first person: `I ...`",
            )
