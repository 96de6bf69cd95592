"""L4: how the user wants to work, and what may not be done, in the user's own words.

Laws: only what a person wrote: templates, notes, documents and tool results set no terms;
a summary's list of the user's wishes counts after the user's own words; a request for
work is no directive, a report is none; the words of one dimension share a line.

    BOUNDARY   what must not be, or must be, whatever the task
    MODE       when to ask, to wait, to commit, to stop
    STYLE      how to write and to answer
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kernel.projection.quality.wording import identifiers_of
from pcsf_lark.draft.cues import ACKS, content_words
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.phrases import clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["directives", "relation"]


def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("'", "['\u2019]"), re.IGNORECASE)


_STYLE: Final = _cue(
    r"\b(?:concise|short(?:er)? answers?|brief|terse|verbose|plain (?:text|english|words)|bullet points?|emojis?|tone|no prose|in (?:german|english|french"
    r"|spanish|chinese|japanese)|answer in|reply in|explain (?:less|more)|straight to the point|prose)\b"
)
_MODE: Final = _cue(
    r"\b(?:ask (?:me )?(?:first|before)|before you|wait for (?:me|my)|without asking|step by step|one (?:step|thing|file) at a time|commit (?:first|after|before)"
    r"|(?:don't|do not|never) (?:commit|push|stop)|finish (?:the|this) (?:interaction|session|conversation)|check with me|let me review|always (?:run|commit|ask"
    r"|test)|first,? then)\b"
)
_LIMIT: Final = _cue(
    r"\bnever\b|(?<!there )\bmust(?:n't| not)?\b(?! (?:have|be something))|\balways\b|\b(?:do not|don't) (?:(?:actually|really|even|currently|quite|just) )?(?!actually|really|even|currently|quite|just|know|think|see|understand|remember|recall|care|mind|worry|believe|have\b|get\b)\w+"
    r"|(?<!the )\bonly\b(?! (?:one|two|thing|problem|issue|because|if|when|the)\b)|\bno (?:\w+ )?(?:need to|tests?|changes?|dependenc\w+|backend|server|frameworks?|comments?|mocks?)\b"
    r"|\bat (?:most|least)\b|\bnot allowed\b|\bwithout (?:any |a )?\w+|\bi'?d prefer\b|\bi prefer\b|\bprefer(?:ably)?\b|\bavoid\b|\bkeep (?:it|the|this|that|our|all)\b|\bfully (?:clean|\w+ed)\b"
    r"|\b(?:this|it|that|they|the \w+|everything|all) (?:should|must|has to|have to|needs? to) (?:be|persist|stay|remain|keep|live|work|run)\b"
    r"|\bneeds? to be fully\b"
)
_WISH: Final = _cue(r"^(?:i (?:would )?(?:only )?want|i want to use)\b.*\b(?:first|only)\b")
#: What tells of the world or asks for work, whatever else it says.
_REPORT: Final = _cue(
    r"\bmy (?:profile|account|name|id)\b|\b(?:i'd|i would) like to (?:change|book|cancel|modify|move|upgrade)\b|\b(?:i (?:don't|do not|can't|cannot) (?:remember|know|have|see|find|understand|recall)|doesn't (?:look|work|seem)|didn't|isn't|wasn't|aren't"
    r"|i (?:thought|think|feel|guess|see|get|got|saw)|we (?:just )?(?:wait|queue)|wtf|why|error|i need to|i really need)\b"
)
_REFUSED: Final = _cue(r"\bi (?:don't|do not) want\b")
_REASONED: Final = _cue(r"\b(?:because|since|as)\s+(?P<wish>i (?:don't|do not) want\b)")
_WANTS: Final = re.compile(
    r"user(?:'s)? (?:preferences?|wishes|constraints?|rules)|preferences|constraints", re.IGNORECASE
)
_HEAD: Final = re.compile(r"^#{1,4} +(?P<head>[^\n]+)$", re.MULTILINE)
_BULLET: Final = re.compile(r"^[ \t]*[-*+] +(?P<item>\S[^\n]*)$", re.MULTILINE)
#: A request to look at something is about that, not about how to work.
_TASK: Final = re.compile(
    r"\b(?:tell me|can we|could we|make (?:this|it|them)|read|look)\b", re.IGNORECASE
)
_MOST: Final = 4
#: Characters of a line; see the widths of `capsule`.
_ROOM: Final = 140


def directives(record: Record) -> list[tuple[str, str, int]]:
    """Dimension, words and message of each directive, in order; a summary's come first."""
    found = [item for at in record.spoken("summary") for item in _listed(record, at)]
    for index in record.turns():
        for line in record.sentences(index):
            dimension = _dimension(line)
            if dimension is not None:
                # A report may hold a wish behind its reason.
                wish = _REASONED.search(line.text)
                words = line.text[wish.start("wish") :] if wish is not None else line.text
                found.append((dimension, clause(words), index))
    return found


def relation(record: Record) -> list[Finding]:
    """The findings of L4, one a dimension: the newest words, oldest first."""
    held: dict[str, list[tuple[str, int]]] = {}
    for dimension, words, index in directives(record):
        if record.new(index) or record.origin(index) == "summary":
            rows = held.setdefault(dimension, [])
            rows[:] = [row for row in rows if not _repeats(row[0], words)] + [(words, index)]
    found = []
    for dimension, rows in held.items():
        kept = _newest(rows)
        words = "; ".join(text for text, _ in kept)
        found.append(Finding("L4", (dimension, words), tuple(at for _, at in kept), len(kept)))
    return found


def _newest(rows: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The newest rows that a line holds without cutting one; one at least."""
    kept: list[tuple[str, int]] = []
    for row in reversed(rows[-_MOST:]):
        if kept and len("; ".join(text for text, _ in [*kept, row])) > _ROOM:
            continue
        kept.insert(0, row)
    return kept


def _repeats(old: str, new: str) -> bool:
    a, b = content_words(old), content_words(new)
    return len(a & b) * 3 >= 2 * max(1, min(len(a), len(b)))


def _dimension(line: Sentence) -> str | None:
    text = line.text
    if line.asks or len(text) > 220 or ACKS.fullmatch(text):
        return None
    if _MODE.search(text):
        return "MODE"
    if _STYLE.search(text) and not identifiers_of(text) and not _TASK.search(text):
        return "STYLE"
    if _REPORT.search(text):
        return "BOUNDARY" if _REFUSED.search(text) else None
    if _LIMIT.search(text) or _WISH.search(text):
        return "BOUNDARY"
    return None


def _listed(record: Record, index: int) -> Iterator[tuple[str, str, int]]:
    """Yield the bullets under a summary's heading on what the user wants."""
    text = record.reading.texts[index]
    heads = list(_HEAD.finditer(text))
    for at, head in enumerate(heads):
        if not _WANTS.search(head["head"]):
            continue
        stop = heads[at + 1].start() if at + 1 < len(heads) else len(text)
        for bullet in _BULLET.finditer(text, head.end(), stop):
            dimension = "STYLE" if _STYLE.search(bullet["item"]) else "BOUNDARY"
            yield dimension, clause(bullet["item"]), index
