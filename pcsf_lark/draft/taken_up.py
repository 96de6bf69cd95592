"""What an assistant took up after the user had spoken against it, or better than it.

Laws: the assistant must say that the user is right, and then what it does from now on; the
user's reason is the sentence of his that says most; what he turns down next is not taken
up.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pcsf_lark.draft.cues import AGREES, BLAMES, DIAGNOSES, LOOKS, OBJECTS, content_words
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.phrases import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["objection", "says_nothing", "taken_up", "turned_down"]

_EMPTY_CHANGE: Final = re.compile(
    r"\b(?:fix|do|change|correct|update|add|handle|remove|try) (?:that|this|it|them|those|these)\b[^\w]*\Z"
    r"|\b(?:fix|correct) the (?:current )?(?:error|syntax|issue|problem)s?\b",
    re.IGNORECASE,
)


def says_nothing(text: str) -> bool:
    """Whether an announced change only points at what is to be changed."""
    return _EMPTY_CHANGE.search(text) is not None


def taken_up(record: Record) -> list[Finding]:
    """What an assistant took up after the user had spoken against it, or better than it."""
    found = []
    for user in record.turns():
        for answer in _answers(record, user):
            lines = record.sentences(answer)
            at = next((n for n, line in enumerate(lines[:2]) if AGREES.search(line.text)), -1)
            course = _course(lines[at:]) if at >= 0 else None
            reason = objection(record, user)
            if course is None or reason is None or turned_down(record, answer):
                continue
            against = OBJECTS.search(reason.text) or BLAMES.search(_joined(lines[:4]))
            kind = "PIVOT" if against else "CHOICE"
            fields = (kind, clause(course.text), clause(reason.text))
            found.append(Finding("L1", fields, (user, answer), 4))
            break
    return found


def _answers(record: Record, user: int) -> list[int]:
    """The texts of the assistant between a message of the user and the next."""
    later = record.after(user, "user")
    stop = later if later >= 0 else len(record.messages)
    return record.between(user, stop, "assistant")


def objection(record: Record, user: int) -> Sentence | None:
    """The sentence of a user's message that says most of what is wanted otherwise."""
    lines = [line for line in record.sentences(user) if len(content_words(line.text)) >= 3]
    weighed = [
        (len(content_words(line.text)) + 2 * bool(DIAGNOSES.search(line.text)), -line.at, line)
        for line in lines
    ]
    return max(weighed, key=lambda item: item[:2])[2] if weighed else None


def _course(lines: Sequence[Sentence]) -> Sentence | None:
    """The first sentence that says what is done from now on."""
    for line in lines[:5]:
        rest = line.text
        if AGREES.search(rest) and len(content_words(rest)) < 5:
            continue
        if line.asks or LOOKS.search(rest) or says_nothing(rest) or BLAMES.search(rest):
            continue
        if len(content_words(rest)) >= 4 and not rest.endswith(":"):
            return line
    return None


def turned_down(record: Record, index: int) -> bool:
    """Whether the user's next words turn a message down, nothing having been run for it."""
    user, reply = record.after(index, "user"), record.after(index, "assistant")
    if user < 0 or 0 <= reply < user or record.ran_between(index, user):
        return False
    lines = record.sentences(user)
    return bool(lines) and OBJECTS.search(lines[0].text) is not None


def _joined(lines: Sequence[Sentence]) -> str:
    return " ".join(line.text for line in lines)
