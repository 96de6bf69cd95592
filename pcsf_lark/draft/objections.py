"""What was turned down in talk: by the user a proposal, by the assistant a request.

Laws: the option is the sentence that an objection or a refusal shares most words with; what
answers it stands in the same message or the next; where one of the three is missing there
is nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pcsf_lark.draft.cues import (
    ACKS,
    AGREES,
    ASKS_FOR,
    COURTESY,
    LOOKS,
    OBJECTS,
    REFUSES,
    content_words,
)
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.phrases import bare, clause
from pcsf_lark.draft.reasons import objection, taken_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["objections", "refusals"]

#: What turns down all that was offered.
_ALL: Final = re.compile(r"(?:neither|none|no,? (?:that|those|these))\b", re.IGNORECASE)
#: How far back a proposal may lie, in messages.
_BACK: Final = 60


def objections(record: Record) -> Iterator[Finding]:
    """Yield what the user turned down, and what came instead."""
    accepted = {item.at[0]: item for item in taken_up(record)}
    for user in record.turns():
        lines = record.sentences(user)
        objects = next((line for line in lines[:3] if OBJECTS.search(line.text)), None)
        said = record.before(user, "assistant")
        if objects is None or said < 0:
            continue
        listed = _ALL.match(objects.text) is not None
        option = _opening(record, said) if listed else _proposal(record, user, said)
        reason = objection(record, user)
        if option is None or reason is None:
            continue
        taken = accepted.get(user)
        lesson = taken.fields[1] if taken is not None else _wanted(lines, reason)
        lesson = lesson or _next_words(record, user)
        yield Finding(
            "L2", (clause(option.text), bare(reason.text), lesson), (option.index, user), 4
        )


def _opening(record: Record, said: int) -> Sentence | None:
    """The sentence by which a message brings what it offers."""
    for line in record.sentences(said):
        polite = COURTESY.search(line.text) or ASKS_FOR.search(line.text)
        if len(content_words(line.text)) >= 4 and not polite:
            return line
    return None


def _proposal(record: Record, user: int, said: int) -> Sentence | None:
    """The sentence of the assistant that a message of the user is most likely about."""
    words = content_words(" ".join(line.text for line in record.sentences(user)))
    last = record.before(user, "user")
    best: tuple[float, Sentence] | None = None
    for index in record.spoken("assistant"):
        if not said - _BACK < index < user:
            continue
        for line in record.sentences(index):
            own = content_words(line.text)
            polite = COURTESY.search(line.text) or ASKS_FOR.search(line.text)
            if (
                line.asks
                or len(own) < 3
                or polite
                or AGREES.search(line.text)
                or LOOKS.search(line.text)
            ):
                continue
            weight = len(own & words) / (len(own) + 4) ** 0.5
            weight += 0.2 * (index == said) - 0.15 * (index < last)
            if best is None or weight >= best[0]:
                best = (weight, line)
    return best[1] if best is not None and best[0] >= 0.25 else None


def _wanted(lines: Sequence[Sentence], reason: Sentence) -> str:
    """What the user asks for in place of it: another sentence of the same message."""
    for line in lines:
        if (
            line.at != reason.at
            and len(content_words(line.text)) >= 2
            and not ACKS.fullmatch(line.text)
        ):
            return clause(line.text)
    return ""


def _next_words(record: Record, index: int) -> str:
    """The first thing the assistant says after a message that is more than politeness."""
    answer = record.after(index, "assistant")
    for line in record.sentences(answer) if answer >= 0 else ():
        if len(content_words(line.text)) >= 3 and not AGREES.search(line.text):
            return clause(line.text)
    return ""


def refusals(record: Record) -> Iterator[Finding]:
    """Yield what the assistant said cannot be had, and what is left."""
    for index in record.spoken("assistant"):
        lines = record.sentences(index)
        refused = next((line for line in lines if _refuses(line)), None)
        user = record.before(index, "user")
        if refused is None or user < 0:
            continue
        asked = _asked(record, user, refused)
        lesson = next(
            (
                clause(line.text)
                for line in lines[refused.at + 1 :]
                if len(content_words(line.text)) >= 3
                and not COURTESY.search(line.text)
                and not line.asks
            ),
            "",
        )
        later = record.after(index, "user")
        if not lesson and later >= 0:
            wanted = objection(record, later)
            lesson = clause(wanted.text) if wanted is not None else ""
        if asked is not None and lesson:
            yield Finding(
                "L2", (clause(asked.text), clause(refused.text), lesson), (asked.index, index), 3
            )


def _refuses(line: Sentence) -> bool:
    return REFUSES.search(line.text) is not None and not line.asks and not LOOKS.search(line.text)


def _asked(record: Record, user: int, refused: Sentence) -> Sentence | None:
    """The request a refusal answers: of the user's sentences the one with most of its words."""
    words = content_words(refused.text)
    turns = [at for at in record.turns() if at <= user]
    best: tuple[tuple[int, int], Sentence] | None = None
    for index in turns:
        for line in record.sentences(index):
            shared = len(content_words(line.text) & words)
            if shared and (best is None or (shared, index) >= best[0]):
                best = ((shared, index), line)
    return best[1] if best is not None else None
