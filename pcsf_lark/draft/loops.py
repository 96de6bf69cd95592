"""L5: what is open at the end: plan items, calls without an answer, requests, promises.

Laws: structure before wording; a list in a summary is no loop, since what it names may be
done; what was made again later is not open; a run that failed last is open until a later
one passes; a question that only offers more is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kernel.projection.quality.commands import checks_of, mutates
from kernel.projection.quality.verification import runs_in, settled_later
from pcsf_lark.draft.cues import (
    ANNOUNCES,
    ASKS_FOR,
    CHANGES,
    COURTESY,
    LOOKS,
    STEPS,
    WANTED,
    content_words,
)
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.live import requests
from pcsf_lark.draft.phrases import bare, clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernel.projection.quality.facts import Fact
    from kernel.projection.quality.reading import Action
    from pcsf_lark.draft.record import Record

__all__ = ["is_open_call", "loops", "open_items"]

#: Heads of a list of what is left.
_LEFT: Final = re.compile(
    r"^[ \t*#_]*(?:remaining|still (?:open|to do|missing)|left to do|to ?do|open (?:items|points)|not (?:yet )?done|outstanding|next steps?|pending)\b[^\n]{0,60}:?[ \t*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ITEM: Final = re.compile(
    r"^[ \t]*(?:[-*+\u2022]|\d{1,2}[.)])[ \t]+(?:\[ \][ \t]+)?(?P<item>\S[^\n]*)$"
)
_DONE: Final = re.compile(r"\[[xX]\]|\u2705|\u2611|~~", re.IGNORECASE)
_OPTIONAL: Final = re.compile(r"\boptional(?:ly)?\b|\bnice to have\b|\beventually\b", re.IGNORECASE)
_NONE: Final = re.compile(r"^(?:none|nothing|n/a)\b", re.IGNORECASE)
_ORDER: Final = {"HIGH": 0, "MED": 1, "LOW": 2}


def loops(record: Record) -> list[Finding]:
    """The findings of L5, HIGH first, each thread once."""
    found = [
        *_plan(record),
        *_calls(record),
        *_checks(record),
        *_request(record),
        *_left(record),
        *_promised(record),
        *_question(record),
    ]
    found = [item for item in found if record.new(item.place)]
    found.sort(key=lambda item: _ORDER[item.fields[2]])
    kept: list[Finding] = []
    for item in found:
        words = content_words(item.fields[1])
        if not any(_covers(content_words(other.fields[1]), words) for other in kept):
            kept.append(item)
    return kept


def _covers(known: frozenset[str], words: frozenset[str]) -> bool:
    return bool(words) and len(known & words) * 4 >= len(words) * 3


def open_items(record: Record) -> Iterator[Fact]:
    """Yield the items of the last plan that are not done."""
    return (
        fact
        for fact in record.manifest.of("open")
        if fact.subkind in ("plan-item", "box-item") and fact.by not in ("summary", "document")
    )


def _plan(record: Record) -> Iterator[Finding]:
    for fact in open_items(record):
        text = record.reading.texts[fact.index]
        # The state stands behind the item, or before it, in the same object.
        near = text[max(0, fact.span.start - 60) : fact.span.end + 80]
        running = "in_progress" in near or "in-progress" in near
        priority = "LOW" if _OPTIONAL.search(fact.value) else "HIGH" if running else "MED"
        yield Finding("L5", ("INCOMPLETE_TASK", bare(fact.value), priority), (fact.index,))


def is_open_call(record: Record, action: Action) -> bool:
    """Whether a call changes or checks something, has no answer and was not made again."""
    if action.outcome.state != "open" or action.index < max(record.turns(), default=-1):
        return False  # the user went on to something else
    shell = action.purpose == "shell"
    if not (shell or action.purpose in ("change", "delete", "errand", "other", "control")):
        return False
    if shell and not (
        action.index >= len(record.messages) - _LATE
        or mutates(action.steps)
        or checks_of(action.steps)
    ):
        return False
    later = (other for other in record.actions if other.index > action.index)
    return not any(_again(action, other) for other in later)


#: A call that is nearly the last message was cut off, whatever it does.
_LATE: Final = 4


def _again(action: Action, other: Action) -> bool:
    """Whether a later action does the same, or does it to the same file."""
    if other.outcome.state == "open":
        return False
    if action.purpose == "shell":
        first = [step.words[:2] for step in action.steps]
        return other.purpose == "shell" and [step.words[:2] for step in other.steps] == first
    mine = {named.path for named in action.files}
    return other.tool == action.tool and (not mine or bool(mine & {n.path for n in other.files}))


def _calls(record: Record) -> Iterator[Finding]:
    for action in record.actions:
        if not is_open_call(record, action):
            continue
        text = action.command.strip().split("\n")[0] or action.tool
        names = "" if action.command else " ".join(n.path for n in action.files[:1])
        yield Finding(
            "L5",
            ("INCOMPLETE_TASK", f"no answer yet: {text} {names}".strip(), "MED"),
            (action.index,),
        )


def _checks(record: Record) -> Iterator[Finding]:
    """Yield checks whose last run failed, unless failing was wanted."""
    runs = runs_in(record.reading)
    for run, settled in zip(runs, settled_later(record.reading, runs), strict=True):
        if run.outcome.state != "failed" or settled or run.check.kind == "run":
            continue
        answer = record.after(max(run.action.result, run.action.index), "assistant")
        words = record.sentences(answer)[:3] if answer >= 0 else ()
        if any(WANTED.search(line.text) for line in words):
            continue
        text = " ".join((run.check.name, *run.check.operands))
        yield Finding(
            "L5", ("INCOMPLETE_TASK", f"last run failed: {text}", "HIGH"), (run.action.index,)
        )


def _request(record: Record) -> Iterator[Finding]:
    """Yield the user's last words, nothing having been said or run since."""
    last = max(record.turns(), default=-1)
    ran = max((max(a.index, a.result) for a in record.actions if not a.by_user), default=-1)
    said = [at for at in record.spoken("assistant") if (record.messages[at].text or "").strip()]
    if last < max(ran, max(said, default=-1)):
        return
    asked = [item for item in requests(record) if item.at[-1] == last]
    for item in asked:
        kind = "DEFERRED_QUESTION" if item.text.endswith("?") else "INCOMPLETE_TASK"
        yield Finding("L5", (kind, clause(item.text), "HIGH"), (last,))
    for line in record.sentences(last) if not asked else ():
        if line.asks and len(content_words(line.text)) >= 2:
            yield Finding("L5", ("DEFERRED_QUESTION", clause(line.text), "HIGH"), (last,))


def _left(record: Record) -> Iterator[Finding]:
    """Yield the list of what remains from the assistant's last words."""
    last = max(record.spoken("assistant"), default=-1)
    if last < 0 or any(a.index > last and a.result >= 0 for a in record.actions if not a.by_user):
        return
    text = record.reading.texts[last]
    for head in _LEFT.finditer(text):
        for raw in text[head.end() :].lstrip("\n").split("\n"):
            item = _ITEM.match(raw)
            if item is None:
                break
            words = item["item"]
            if not _DONE.search(words) and not _NONE.match(bare(words)):
                priority = "LOW" if _OPTIONAL.search(words) else "MED"
                yield Finding("L5", ("INCOMPLETE_TASK", bare(words), priority), (last,))


def _promised(record: Record) -> Iterator[Finding]:
    """Yield what the assistant announced last and no call followed up."""
    last = max(record.spoken("assistant"), default=-1)
    if last < max(record.turns(), default=-1):
        return
    answered = any(a.index > last and a.result >= 0 for a in record.actions)
    if answered and not any(is_open_call(record, a) and a.index > last for a in record.actions):
        return
    calls = [a for a in record.actions if a.index >= last and is_open_call(record, a)]
    named = content_words(" ".join(a.command or a.tool for a in calls))
    for line in record.sentences(last):
        if named and named <= content_words(line.text) and line.text.count(",") < 2:
            continue
        offered = line.asks or COURTESY.search(line.text) or ASKS_FOR.search(line.text)
        announced = any(cue.search(line.text) for cue in (ANNOUNCES, LOOKS, STEPS))
        if (
            announced
            and not offered
            and not CHANGES.search(line.text)
            and len(content_words(line.text)) >= 3
        ):
            yield Finding("L5", ("PROMISE", clause(line.text), "MED"), (last,))


def _question(record: Record) -> Iterator[Finding]:
    """Yield the question the assistant ends with, unless it only offers help."""
    last = max(record.spoken("assistant"), default=-1)
    if last < max(record.turns(), default=-1):
        return
    lines = record.sentences(last)
    if not lines or not lines[-1].asks or not record.reading.texts[last].rstrip().endswith("?"):
        return
    if not COURTESY.search(lines[-1].text) and len(content_words(lines[-1].text)) >= 3:
        yield Finding("L5", ("DEFERRED_QUESTION", clause(lines[-1].text), "LOW"), (last,))
