"""Decisions, rejections and doubts: what was chosen, why, and against what.

Laws: quoted, never inferred: a reason is the clause behind its conjunction, a rejected
alternative the clause that names it, and where the log shows none there is none; of the
decisions on one thing the last is current.

Hard: a choice or a correction by the user that names something. Soft: all else; an
announced change (I'll, let me) is the commonest cue and the weakest.
"""

# ruff: noqa: RUF001 - full-width marks are meant

import re
from collections.abc import Iterator
from typing import Final

from kernel.projection.quality.facts import Fact, Quote
from kernel.projection.quality.goals_constraints import LONGEST_SENTENCE
from kernel.projection.quality.reading import Reading, fact_of
from kernel.projection.quality.wording import identifiers_of, needs_of, sentences_of, words_of

__all__ = ["decisions"]

_REASON: Final = re.compile(
    r"\b(?:because|since|given(?: that)?|so that|in order to|as it|due to|the reason|which means)\b[^.;]*|因为[^。；]*|由于[^。；]*",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(
    r"\b(?:instead of|rather than|over|not)\s+(?P<a>[^,;()]{2,120}?)(?=\s+(?:because|since|as|so|to|given)\b|[,;()]|[.](?:\s|\Z)|\Z)|\b(?:replac\w+|drop\w*)\s+(?P<b>[^,.;()]{2,80}?)\s+(?:with|by|in favou?r of)\b"
    r"|而不是(?P<c>[^，。；]{1,60})",
    re.IGNORECASE,
)
_ANNOUNCED: Final = re.compile(
    r"\b(?:i['\u2019]ll|i will|let me|let['\u2019]s|we['\u2019]ll|we will|i['\u2019]m going to|i am going to|going to)\s+(?:now |just |also |first |then )?"
    r"(?:add|adjust|change|combine|consolidate|convert|create|delete|drop|edit|extract|fix|go with|implement|inline|keep|make|merge"
    r"|modify|move|put|refactor|remove|rename|replace|reorgani[sz]e|rewrite|revert|set|simplify|split|stick with|switch|update|use|write)\b",
    re.IGNORECASE,
)
_CHOSEN: Final = re.compile(
    r"\b(?:makes? (?:more|most) sense|decid\w+|decision|opt(?:ed|ing)? for|chos\w+|choose|choosing|go(?:ing)? with|better to"
    r"|the (?:best|right|cleanest|simplest) (?:approach|way|option|fix|solution)|option \d|we should|agreed)\b|决定|选择|采用|改用",
    re.IGNORECASE,
)
_PICKED: Final = re.compile(
    r"^(?:yes|yeah|yep|ok(?:ay)?|sure|let['\u2019]?s|i['\u2019]ll)?[,\s]*(?:(?:go|do|take|use|pick|i['\u2019]ll (?:go|take)) (?:with )?)?"
    r"(?:the )?(?:first|second|third|last|option|number|#)?\s*#?\d?\b(?:option|one)?|\b(?:go with|let['\u2019]?s (?:do|use|go)|can leave)\b",
    re.IGNORECASE,
)
_CORRECTS: Final = re.compile(
    r"^(?:no\b|nope\b|wait\b|actually\b|stop\b|wrong\b|not\b)|\b(?:that['\u2019]?s (?:not|wrong)|doesn['\u2019]?t look right|not what i|instead"
    r"|we don['\u2019]?t (?:need|want)|i don['\u2019]?t want|don['\u2019]?t like|neither)\b|^不[，,是要对]|不对",
    re.IGNORECASE,
)
_BROKEN: Final = re.compile(
    r"\b(?:(?:wo|does|did)n['\u2019]?t work|(?:does|did|will) not work|still fails?|reject\w+|ruled out|reverted)\b|行不通|不行",
    re.IGNORECASE,
)
_REJECTS: Final = re.compile(
    r"\b(?:instead|no longer need\w*|not needed|no need (?:for|to)|unnecessary|invalid|unused|only the|rather than"
    r"|there (?:is|are) no(?:ne)?)\b",
    re.IGNORECASE,
)
_DOUBTS: Final = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|not sure|unsure|unclear|i think|might be|could be|seems? (?:like|to)|appears to|likely|i suspect"
    r"|i assume|presumably)\b|^(?:wait|hmm+|actually)\b|可能|也许|大概|不确定",
    re.IGNORECASE,
)


def decisions(reading: Reading) -> Iterator[Fact]:
    """Yield decisions, rejections and doubts, in order."""
    for index, message in enumerate(reading.messages):
        origin = reading.origins[index]
        if message.content_type == "reasoning" or (
            origin == "assistant" and message.content_type == "text"
        ):
            sort = _assistants
        elif origin == "user" and message.content_type == "text":
            sort = _users
        else:
            continue
        text = reading.texts[index]
        for start, end in sentences_of(text):
            sentence = text[start:end]
            if len(sentence) <= LONGEST_SENTENCE and sentence[0] not in "{[<|`":
                found = sort(sentence)
                if found is not None:
                    yield _fact(reading, (index, start, end), *found)


def _users(sentence: str) -> tuple[str, str] | None:
    if _CORRECTS.search(sentence) and not sentence.endswith("?"):
        return "rejection", "correction"
    picked = _PICKED.match(sentence)
    if len(sentence) < 160 and picked is not None and any(char.isdigit() for char in picked[0]):
        return "decision", "picked"
    if _CHOSEN.search(sentence) and not sentence.endswith("?"):
        return "decision", "chosen"
    return None


def _assistants(sentence: str) -> tuple[str, str] | None:
    if _BROKEN.search(sentence):
        return "rejection", "found"
    if _CHOSEN.search(sentence):
        return "decision", "chosen"
    if _ANNOUNCED.search(sentence):
        return "decision", "announced"
    if _REJECTS.search(sentence):
        return "rejection", "found"
    if _DOUBTS.search(sentence):
        return "uncertainty", "voiced"
    return None


def _fact(reading: Reading, place: tuple[int, int, int], kind: str, subkind: str) -> Fact:
    index, start, end = place
    text = reading.texts[index]
    names = identifiers_of(text[start:end])
    hard = bool(names) and reading.origins[index] == "user" and kind in ("decision", "rejection")
    reason = _REASON.search(text, start, end)
    hidden = reading.messages[index].content_type == "reasoning"
    return fact_of(
        reading,
        kind,  # type: ignore[arg-type]
        f"{subkind}-in-thought" if hidden else subkind,
        place,
        key=f"{kind}:{' '.join(names) or ' '.join(words_of(text[start:end]))}",
        hardness="hard" if hard else "soft",
        needs=needs_of(
            text[start:end], share=0.34, markers=("not",) if kind == "rejection" else ()
        ),
        reason=None if reason is None else _quote(reading, index, *reason.span()),
        rejected=[_quote(reading, index, *_group(m)) for m in _AGAINST.finditer(text, start, end)],
    )


def _group(match: re.Match[str]) -> tuple[int, int]:
    return match.span(next(name for name in "abc" if match[name] is not None))


def _quote(reading: Reading, index: int, start: int, end: int) -> Quote:
    text = reading.texts[index][start:end].rstrip()
    return Quote(text, reading.span(index, start, start + len(text)))
