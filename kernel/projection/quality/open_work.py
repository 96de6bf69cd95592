"""Open work: calls nobody answered, plan items not done, promises, questions.

Laws: structure before wording: a call without a result, the last state of a plan, a
request or a question with nothing after it; a list in an old summary is weaker than what
was done since, and never hard.

Hard: plan items pending or in progress; a call that changes or checks something left
without a result and not made again; a user's last request, nothing having been done since.
Soft: announced steps, questions of the assistant, unchecked boxes, `remaining` lists.
"""

# ruff: noqa: RUF001 - full-width marks are meant
# ruff: noqa: SIM905 - a table of words reads best as text

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from kernel.projection.quality.arguments import arguments_of
from kernel.projection.quality.commands import checks_of, mutates
from kernel.projection.quality.facts import Completion, Fact, Need
from kernel.projection.quality.reading import Action, Reading, fact_of
from kernel.projection.quality.trail import command_key
from kernel.projection.quality.wording import identifiers_of, needs_of, sentences_of, words_of

__all__ = ["open_work"]

_ITEM_KEYS: Final = frozenset("content step title task subject text name".split())
_STATES: Final[dict[str, Completion]] = {
    **dict.fromkeys(("completed", "complete", "done", "finished"), "done"),
    **dict.fromkeys(
        ("pending", "in_progress", "in-progress", "todo", "open", "not_started", "active"), "open"
    ),
    **dict.fromkeys(("failed", "blocked", "error"), "failed"),
    **dict.fromkeys(("cancelled", "canceled", "skipped", "deleted"), "done"),
}
_BOX: Final = re.compile(
    r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:\[(?P<box>[ xX])\]|(?P<sign>[☐☑✅⏳]))[ \t]+(?P<item>\S[^\n]*?)[ \t]*$",
    re.MULTILINE,
)
_PROMISE: Final = re.compile(
    r"\b(?:i['\u2019]ll|i will|let me|next,? (?:i|we)|let['\u2019]s|now (?:i|let)|going to|we (?:still )?need to|i need to|remaining|todo|next steps?)\b"
    r"|接下来|下一步|还需要",
    re.IGNORECASE,
)


@frozen
class _Item:
    """An item of a plan: its words, where they stand, and its state."""

    value: str
    start: int
    end: int
    state: Completion


def open_work(reading: Reading) -> Iterator[Fact]:
    """Yield what is open, and what a plan says is done."""
    yield from _unanswered(reading)
    yield from _planned(reading)
    yield from _boxes(reading)
    yield from _at_the_end(reading)


def _unanswered(reading: Reading) -> Iterator[Fact]:
    later: set[str] = set()
    for action in reversed(reading.actions):
        if action.outcome.state == "open" and action.purpose != "control":
            yield _call(reading, action, again=command_key(action) in later)
        later.add(command_key(action))


def _call(reading: Reading, action: Action, *, again: bool) -> Fact:
    shell = action.purpose == "shell"
    weighty = action.purpose in ("change", "delete", "errand", "other") or (
        shell and (mutates(action.steps) or bool(checks_of(action.steps)))
    )
    steps = [
        " ".join(step.words[:2]) for step in action.steps if step.words and step.program != "cd"
    ]
    files = [named.path.rsplit("/", 1)[-1] for named in action.files]
    names = [*files, *steps[-1:], *([] if shell else [action.tool])]
    hard = weighty and not again and bool(names)
    return fact_of(
        reading,
        "open",
        "call-made-again" if again else "call-unanswered",
        (action.index, action.start, action.end),
        key=f"open:{command_key(action)}",
        value=action.command or action.tool,
        hardness="hard" if hard else "soft",
        state="unknown" if again else "open",
        needs=(Need("phrase", names), Need("marker", ("open",))) if names else (),
    )


def _planned(reading: Reading) -> Iterator[Fact]:
    """Yield the items of the last plan written with a tool."""
    plans = [action for action in reading.actions if action.purpose == "plan"]
    for action in reversed(plans):
        items = list(_items(reading.texts[action.index]))
        if items:
            yield from (_planned_fact(reading, action.index, item) for item in items)
            return


def _items(text: str) -> Iterator[_Item]:
    waiting: tuple[str, int, int] | None = None
    state: Completion | None = None
    for argument in arguments_of(text, _ITEM_KEYS | {"status", "state"}):
        if argument.key in ("status", "state"):
            state = _STATES.get(argument.value.lower(), "unknown")
        else:
            waiting = (argument.value, argument.start, argument.end)
        if waiting is not None and state is not None:
            yield _Item(*waiting, state)
            waiting, state = None, None


def _planned_fact(reading: Reading, index: int, item: _Item, subkind: str = "plan") -> Fact:
    still = item.state in ("open", "failed")
    needs = needs_of(item.value, share=0.5)
    hard = still and subkind == "plan" and bool(needs)
    return fact_of(
        reading, "open", f"{subkind}-{'item' if still else 'done'}", (index, item.start, item.end),
        key=f"open:{' '.join(words_of(item.value))}|{' '.join(identifiers_of(item.value))}",
        value=item.value, hardness="hard" if hard else "soft", state=item.state,
        needs=(*needs, Need("marker", ("open",))) if still and needs else needs,
    )  # fmt: skip


def _boxes(reading: Reading) -> Iterator[Fact]:
    """Yield the boxes of the last text that has any."""
    for index in reversed(reading.spoken("assistant", "summary", "document")):
        found = list(_BOX.finditer(reading.texts[index]))
        for box in found:
            done = box["box"] in ("x", "X") or box["sign"] in ("☑", "✅")
            item = _Item(box["item"], *box.span("item"), "done" if done else "open")
            yield _planned_fact(reading, index, item, "box")
        if found:
            return


def _at_the_end(reading: Reading) -> Iterator[Fact]:
    """Yield what the last words leave open: a request, a promise, a question."""
    ran = max((max(a.index, a.result) for a in reading.actions if not a.by_user), default=-1)
    users = reading.spoken("user")
    said = reading.spoken("assistant")
    last_user, last_said = max(users, default=-1), max(said, default=-1)
    if last_user > max(ran, last_said):
        yield from _sentences(reading, last_user, re.compile(r"\w{3}"), "request-unanswered")
    elif last_said > last_user:
        text = reading.texts[last_said]
        if last_said > ran:
            yield from _sentences(reading, last_said, _PROMISE, "promise")
        if text.rstrip().endswith(("?", "？")):
            yield from _sentences(reading, last_said, re.compile(r"[?？]\s*\Z"), "question")


def _sentences(reading: Reading, index: int, cue: re.Pattern[str], subkind: str) -> Iterator[Fact]:
    text = reading.texts[index]
    for start, end in sentences_of(text):
        sentence = text[start:end]
        if len(sentence) > 400 or cue.search(sentence) is None:
            continue
        needs = needs_of(sentence, share=0.34)
        hard = subkind == "request-unanswered" and bool(identifiers_of(sentence))
        yield fact_of(
            reading, "open", subkind, (index, start, end),
            key=f"open:{' '.join(words_of(sentence))}|{' '.join(identifiers_of(sentence))}",
            hardness="hard" if hard else "soft", state="open",
            needs=(*needs, Need("marker", ("open",))) if needs else (),
        )  # fmt: skip
