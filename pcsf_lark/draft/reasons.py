"""L1: what was decided or found, where the log gives the reason.

Laws: both fields are quoted, the reason from the same sentence, the one before it or the
user's words that it answers; what is only in thinking, what is a question, an offer, a
look or a clean-up is nothing; of two findings on one thing the later stands.

    because, since, due to …   the clause behind it is the reason
    X, so Y                    X is the reason of Y
    X (it is Y)                a bracketed clause is the reason
    X. Let me change Z         a diagnosis is the reason of the change announced after it
    You're right. X            the user's objection is the reason of what is taken up
    if X, I'd prefer Y         a condition the user set
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pcsf_lark.draft.cues import (
    ACKS,
    ANNOUNCES,
    ASKS_FOR,
    CHORES,
    CLEANS,
    COURTESY,
    DIAGNOSES,
    HEDGES,
    LOOKS,
    content_words,
)
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.phrases import bare, clause
from pcsf_lark.draft.taken_up import says_nothing, taken_up, turned_down

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["idle", "skeleton"]

_BECAUSE: Final = re.compile(
    r"(?P<fact>.{12,}?)[,;]?\s+\(?(?P<cue>because(?: of)?|since|due to|given that|(?<!such )as(?= (?:it|they|the|i don['\u2019]t|i do not)\b))\s+(?P<reason>(?:[^()]|\([^()]*\)){8,}?)\)?[.!]?\Z",
    re.IGNORECASE | re.DOTALL,
)
_SO: Final = re.compile(
    r"(?P<reason>.{12,}?),?\s+so\s+(?!that\b|far\b|i can\b|we can\b|you can\b|on\b|much\b|many\b|basically\b)(?P<fact>.{10,}?)[.!:]?\Z",
    re.IGNORECASE | re.DOTALL,
)
_BRACKET: Final = re.compile(
    r"(?P<fact>.{12,}?)\s+\((?P<reason>(?:it['\u2019]s|it is|it has|they['\u2019]re|they are|the \w+ (?:is|are|has|have)|required (?:for|by)|needed (?:for|by))\b[^()]{6,})\)[.!:]?\Z",
    re.IGNORECASE | re.DOTALL,
)
_IF: Final = re.compile(
    r"(?P<reason>if\s+.{8,}?),\s+(?P<fact>i['\u2019]?d (?:prefer|rather|like)\b.{6,}?)[.!]?\Z",
    re.IGNORECASE | re.DOTALL,
)
_THEN: Final = re.compile(
    r"(?P<fact>.{12,}?),\s+(?P<reason>(?:so|then|so that)\s+(?:i|we)\s+can\s+.{6,}?)[.!]?\Z",
    re.IGNORECASE | re.DOTALL,
)
#: A reason that only points at the sentence before.
_POINTS: Final = re.compile(r"\A(?:this|that|these|those|the|it)(?:\s+\w+)?\Z", re.IGNORECASE)
#: A user sets terms, and does not only tell how things are.
_TERMS: Final = re.compile(
    r"\b(?:not|never|no|neither|none|only|must|prefer|rather|without|have to be|has to be)\b|n['\u2019]t (?:want|need|use|touch|change)\b",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(r"^(?:to|which|who|that|and|or|but|including|with)\b", re.IGNORECASE)
_BROKEN_OFF: Final = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|such|if|to|of|only)\Z", re.IGNORECASE
)
_OFFER: Final = re.compile(
    r"\b(?:please|you(?:['\u2019]ll)? (?:can|may|could|might|would|will|need)|if you|would you|feel free|once (?:i|you)"
    r"|(?:see|check|know|tell) (?:if|whether)|attempt to)\b",
    re.IGNORECASE,
)


def skeleton(record: Record) -> list[Finding]:
    """The findings of L1, in order; of those on one thing the last."""
    found = [f for index in record.spoken("assistant") for f in _of_assistant(record, index)]
    found += [f for index in record.spoken("user") for f in _of_user(record, index)]
    found += taken_up(record)
    found.sort(key=lambda item: item.at)
    return _current([item for item in found if record.new(item.place)])


def _of_assistant(record: Record, index: int) -> Iterator[Finding]:
    if turned_down(record, index):
        return
    lines = record.sentences(index)
    for line in lines:
        if idle(line.text) or CLEANS.search(line.text):
            continue
        before = lines[line.at - 1] if line.at else None
        pair = _in_one(line.text, before) or _in_two(line, before)
        if pair is not None:
            yield _finding(*pair, (index,))


def _of_user(record: Record, index: int) -> Iterator[Finding]:
    for line in record.sentences(index):
        for form, kind in ((_IF, "CHOICE"), (_THEN, "CHOICE"), (_BECAUSE, "CONSTRAINT")):
            match = form.match(line.text)
            if match is None or line.asks:
                continue
            fact, reason = clause(match["fact"]), bare(match["reason"])
            if kind == "CONSTRAINT":
                if not _TERMS.search(line.text) or _POINTS.match(reason.rstrip(".!")):
                    break
                reason = reason.rstrip(".")
            if len(content_words(fact)) >= 2:
                yield Finding("L1", (kind, fact, reason), (index,), 3)
            break


def _in_one(text: str, before: Sentence | None) -> tuple[str, str] | None:
    """Fact and reason of a sentence that has both."""
    for form in (_BRACKET, _BECAUSE, _SO):
        match = form.match(text)
        if match is None:
            continue
        fact, reason = clause(match["fact"]), bare(match["reason"])
        if _POINTS.match(reason):
            if before is None or before.asks or COURTESY.search(before.text):
                continue
            reason = clause(before.text)
        if (form is not _SO and _BOUND.match(fact)) or _BROKEN_OFF.search(fact):
            continue
        if LOOKS.search(text) or CHORES.search(fact) or _hollow(fact) or _hollow(reason, 1):
            continue
        return fact, reason
    return None


def _in_two(line: Sentence, before: Sentence | None) -> tuple[str, str] | None:
    """The change a sentence announces, and the diagnosis before it."""
    if before is None or before.asks or not ANNOUNCES.search(line.text):
        return None
    if LOOKS.search(line.text) or CHORES.search(line.text) or says_nothing(line.text):
        return None
    if (
        ACKS.match(before.text)
        or not DIAGNOSES.search(before.text)
        or ANNOUNCES.search(before.text)
        or idle(before.text)
    ):
        return None
    fact, reason = clause(line.text), clause(before.text)
    if _hollow(fact, 3) or _hollow(reason, 3):
        return None
    return fact, reason


def idle(text: str) -> bool:
    """Whether a sentence asks, offers or thanks, and states nothing."""
    asks = text.endswith("?") or COURTESY.search(text) or ASKS_FOR.search(text)
    return bool(asks or _OFFER.search(text) or HEDGES.search(text) or ACKS.fullmatch(text))


def _hollow(text: str, least: int = 2) -> bool:
    return len(content_words(text)) < least


def _finding(fact: str, reason: str, at: tuple[int, ...]) -> Finding:
    decided = ANNOUNCES.search(fact) is not None
    return Finding("L1", ("CHOICE" if decided else "DISCOVERY", fact, reason), at, 2)


def _current(found: Sequence[Finding]) -> list[Finding]:
    """The findings without those that a better founded or a later one is about again."""
    kept: list[Finding] = []
    for item in sorted(found, key=lambda item: (item.value, item.at), reverse=True):
        words = content_words(" ".join(item.fields[1:]))
        if not any(_same(words, content_words(" ".join(k.fields[1:]))) for k in kept):
            kept.append(item)
    return sorted(kept, key=lambda item: item.at)


def _same(a: frozenset[str], b: frozenset[str]) -> bool:
    shared = len(a & b)
    return shared * 2 >= min(len(a), len(b)) and shared >= 3
