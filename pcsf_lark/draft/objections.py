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
    SOFTLY,
    content_words,
)
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.live import requests
from pcsf_lark.draft.phrases import bare, clause
from pcsf_lark.draft.taken_up import objection, taken_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.draft.live import Request
    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["objections", "questioned", "refusals"]

#: What turns down all that was offered.
_ALL: Final = re.compile(r"(?:neither|none|no,? (?:that|those|these))\b", re.IGNORECASE)
#: What is only wanting yet, or is told beside the matter, is no refusal.
_WANTING: Final = re.compile(
    r"\b(?:without (?:the|your|a|an)\b|until you|once you|(?:directly )?using (?:just|only)|if you (?:provide|have))|^(?:please )?note that\b",
    re.IGNORECASE,
)
#: The assistant asks for facts, not for consent.
_FACTS: Final = re.compile(
    r"\b(?:provide|which (?:flight|option|one)|what is your|may i have|let me know (?:the|your|which|following))\b",
    re.IGNORECASE,
)
#: What is asked the reason of is doubted.
_WHY: Final = re.compile(
    r"\bwhy (?:does|do|did|are|is|would|were|was|should)\s+(?P<option>.{8,}?)\?", re.IGNORECASE
)
#: How far back a proposal may lie, in messages.
_BACK: Final = 60


def objections(record: Record) -> Iterator[Finding]:
    """Yield what the user turned down, and what came instead."""
    accepted = {item.at[0]: item for item in taken_up(record)}
    for user in record.turns():
        lines = record.sentences(user)
        objects = next((line for line in lines[:3] if OBJECTS.search(line.text)), None)
        said = record.before(user, "assistant")
        if objects is None or said < 0 or _answers(record, objects, said):
            continue
        listed = _ALL.match(objects.text) is not None
        option = _opening(record, said) if listed else _proposal(record, user, said)
        whole = SOFTLY.search(objects.text) or len(content_words(objects.text)) >= 5
        reason = objects if whole else objection(record, user)
        if option is None or reason is None:
            continue
        taken = accepted.get(user)
        lesson = taken.fields[1] if taken is not None else _wanted(lines, reason)
        lesson = lesson or _next_words(record, user)
        yield Finding(
            "L2", (clause(option.text), bare(reason.text), lesson), (option.index, user), 4
        )


def _answers(record: Record, objects: Sentence, said: int) -> bool:
    """Whether a no only answers one of several things the assistant asked for."""
    text = record.reading.texts[said]
    if re.match(r"no\b", objects.text, re.IGNORECASE):
        return ASKS_FOR.search(text) is not None
    return SOFTLY.search(objects.text) is not None and _FACTS.search(text) is not None


def questioned(record: Record) -> Iterator[Finding]:
    """Yield what the user asked the reason of, and the assistant then gave up."""
    for item in taken_up(record):
        user = item.at[0]
        for line in record.sentences(user):
            match = _WHY.search(line.text)
            if match is not None and len(content_words(match["option"])) >= 2:
                reason = next(
                    (other for other in _weighty(record, user) if other.at != line.at), line
                )
                fields = (bare(match["option"]), clause(reason.text), item.fields[1])
                yield Finding("L2", fields, item.at, 4.5)
                break


def _weighty(record: Record, user: int) -> list[Sentence]:
    lines = [line for line in record.sentences(user) if len(content_words(line.text)) >= 3]
    return sorted(lines, key=lambda line: -len(content_words(line.text)))


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
    for index in record.between(said - _BACK, user, "assistant"):
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
    made = [item for item in requests(record) if item.by_user]
    for index in record.spoken("assistant"):
        lines = record.sentences(index)
        refused = next((line for line in lines if _refuses(line)), None)
        user = record.before(index, "user")
        if refused is None or user < 0:
            continue
        asked = _asked(made, user, refused)
        later = record.after(index, "user")
        lesson = _telling(lines[refused.at + 1 :], 3)
        if not lesson and later >= 0:
            lesson = _telling(record.sentences(later), 2)
        if asked is not None and lesson:
            fields = (clause(asked.text), clause(refused.text), lesson)
            yield Finding("L2", fields, (*asked.at, index), 3)


def _telling(lines: Sequence[Sentence], least: int) -> str:
    """The first sentence that says something, "" where none does."""
    for line in lines:
        idle = COURTESY.search(line.text)
        if len(content_words(line.text)) >= least and not idle and not ACKS.fullmatch(line.text):
            return clause(line.text)
    return ""


def _refuses(line: Sentence) -> bool:
    idle = line.asks or any(cue.search(line.text) for cue in (LOOKS, COURTESY, _WANTING))
    return REFUSES.search(line.text) is not None and not idle


def _asked(made: Sequence[Request], user: int, refused: Sentence) -> Request | None:
    """The request a refusal answers: the one with most of its words, if any has one."""
    words = content_words(refused.text)
    near = (i for i in made if i.at[-1] <= user and content_words(i.text) & words)
    return max(
        near,
        key=lambda item: (min(len(content_words(item.text) & words), 3), item.at),
        default=None,
    )
