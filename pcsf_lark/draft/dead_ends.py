"""What failed and was given up for another path, with the assistant's own words on it.

Laws: a failure alone rules nothing out: words must say why, and another action must follow;
a failure that was wanted is none; a look that found nothing is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kernel.projection.quality.arguments import arguments_of
from kernel.projection.quality.commands import looks_only
from kernel.projection.quality.trail import command_key
from pcsf_lark.draft.cues import ASKS_FOR, WANTED, content_words
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.phrases import clause

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kernel.projection.quality.reading import Action
    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["dead_ends"]

_WHY: Final = re.compile(
    r"\b(?:due to|because|error|fail\w*|unmatched|invalid|wo(?:n't|n\u2019t|uld not) work|(?:did|does)(?:n['\u2019]t| not) (?:work|exist|match)"
    r"|not (?:found|exported|available|installed|allowed|possible)|there(?:'s| is| are) no|no such|too (?:large|long|slow|complex)|timed out|wrong|missing"
    r"|flagged|rejected|incorrect|complex)\b",
    re.IGNORECASE,
)
_ELSE: Final = re.compile(
    r"\b(?:let me|i(?:'ll| will| need to)|let's|we need to|instead|different|rather|try)\b",
    re.IGNORECASE,
)
_WONT: Final = re.compile(
    r"\b(?:that|this|it) (?:won['\u2019]t|will not|wouldn['\u2019]t|didn['\u2019]t|does not|doesn['\u2019]t) work\b",
    re.IGNORECASE,
)
_CAUSE: Final = re.compile(r"\b(?:due to|because|since)\b", re.IGNORECASE)
#: How far behind a failure the words on it may stand, in messages.
_NEAR: Final = 6


def dead_ends(record: Record) -> Iterator[Finding]:
    """Yield the failures another path followed."""
    for number, action in enumerate(record.actions):
        if action.outcome.state != "failed" or action.by_user:
            continue
        if action.purpose == "search" or (action.purpose == "shell" and looks_only(action.steps)):
            continue
        said = _words_on(record, number)
        if said is None:
            continue
        why, instead = said
        yield Finding(
            "L2",
            (_text(record, action), clause(why.text), clause(instead.text)),
            (action.index, max(action.result, action.index), why.index),
            2.5 if _CAUSE.search(why.text) else 2,
        )
    yield from _regretted(record)


def _words_on(record: Record, number: int) -> tuple[Sentence, Sentence] | None:
    """What the assistant says of a failure right after it: why, and what it does instead."""
    action = record.actions[number]
    answer = record.after(max(action.result, action.index), "assistant")
    if answer < 0 or answer - max(action.result, action.index) > _NEAR:
        return None
    after = next((a for a in record.actions[number + 1 :] if a.index >= answer), None)
    if after is None:
        return None
    return _why_and_else(record.sentences(answer))


def _why_and_else(lines: Sequence[Sentence]) -> tuple[Sentence, Sentence] | None:
    why = next((line for line in lines[:4] if _WHY.search(line.text) and not line.asks), None)
    if why is None or any(WANTED.search(line.text) for line in lines[:4]):
        return None
    for line in lines[why.at + 1 : why.at + 4]:
        if (
            _ELSE.search(line.text)
            and not ASKS_FOR.search(line.text)
            and len(content_words(line.text)) >= 3
        ):
            return why, line
    return None


def _regretted(record: Record) -> Iterator[Finding]:
    """Yield what the assistant itself calls off, since it will not work."""
    for index in record.spoken("assistant"):
        lines = record.sentences(index)
        wont = next((line for line in lines[:2] if _WONT.search(line.text)), None)
        said = record.before(index, "assistant")
        if wont is None or said < 0 or index - said > _NEAR or not _WHY.search(wont.text):
            continue
        plan = next((n for n in record.sentences(said) if len(content_words(n.text)) >= 2), None)
        rest = lines[wont.at + 1 : wont.at + 3]
        instead = next((n for n in rest if len(content_words(n.text)) >= 2), None)
        if plan is not None and instead is not None:
            fields = (clause(plan.text), clause(wont.text), clause(instead.text))
            yield Finding("L2", fields, (said, index), 3)


def _text(record: Record, action: Action) -> str:
    """An action in a few words, as the log spells it: its command, or its tool and file."""
    if action.command:
        lines = action.command.strip().split("\n")
        return (
            lines[0]
            if action.purpose != "shell" or not action.steps
            else command_key(action).partition(":")[2].split("\n")[0]
        )
    names = [named.path.rsplit("/", 1)[-1] for named in action.files]
    if not names:
        names = [a.value for a in arguments_of(record.reading.texts[action.index])]
    return " ".join([record.messages[action.index].tool_name or action.tool, *names[:1]])
