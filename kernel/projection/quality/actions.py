"""What was run in a conversation: calls, commands of the user, commands written into texts.

Laws: one pass; an action is a call with its result, a command a user ran, or a command
written into a text with the output that answers it; it knows its outcome and the files it
names; an edit that names no file is of the file the editor last said it has open.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from kernel.model import NOTHING, CoreMessage, as_tuple
from kernel.pairs import pair
from kernel.projection.quality.arguments import Argument, arguments_of
from kernel.projection.quality.commands import How, Touch, checks_of, looks_only, touches_of
from kernel.projection.quality.origins import last_block
from kernel.projection.quality.outcomes import Outcome, call_outcome, report_outcome, shell_outcome
from kernel.projection.quality.shell import Step, is_masked, steps_of
from kernel.projection.quality.tooling import COMMAND_KEYS, PATH_KEYS, Purpose, bare, purpose_of

__all__ = ["Action", "Named", "actions_of", "command_of"]

_OPEN_FILE: Final = re.compile(r"\(Open file: (?P<path>[^\n)]+)\)")
_PATCHED: Final = re.compile(
    r"\*\*\* (?P<verb>Add File|Update File|Delete File|Move to): (?P<path>(?:(?!\\n)[^\n\"])+)"
)
_SHELLS: Final = frozenset(("bash", "sh", "zsh", "/bin/bash", "/bin/sh"))
_TEXT_EDITS: Final[Mapping[str, Purpose]] = {
    "create": "change", "edit": "change", "insert": "change", "open": "read",
    "submit": "control", "find_file": "search", "search_dir": "search", "search_file": "search",
    "goto": "control", "scroll_up": "control", "scroll_down": "control",
}  # fmt: skip


@frozen
class Named:
    """A file an action names: the path meant, how it is touched, and where it is quoted."""

    path: str
    how: str
    index: int
    start: int
    end: int


@frozen
class Action:
    """Something that was run: in message `index`, answered in message `result` (-1: never).

    `command` is what a shell ran; `start` and `end` are the code points of its quotation.
    """

    index: int
    result: int
    tool: str
    purpose: Purpose
    command: str
    start: int
    end: int
    outcome: Outcome
    files: tuple[Named, ...] = field(default=(), converter=as_tuple)
    steps: tuple[Step, ...] = field(default=(), converter=as_tuple)
    by_user: bool = False


def actions_of(
    messages: Sequence[CoreMessage],
    texts: Sequence[str],
    origins: Sequence[str],
    marks: Mapping[str, bool] = NOTHING,
) -> list[Action]:
    """Return the actions of a conversation, given its normal texts and origins."""
    reader = _Reader(messages, texts, origins, pair(messages), marks)
    return [action for at in range(len(messages)) for action in reader.at(at)]


class _Reader:
    """Finds the actions; knows the file an editor of the conversation has open."""

    def __init__(
        self,
        messages: Sequence[CoreMessage],
        texts: Sequence[str],
        origins: Sequence[str],
        partner: Mapping[int, int],
        marks: Mapping[str, bool],
    ) -> None:
        self._messages, self._texts, self._origins = messages, texts, origins
        self._partner, self._marks = partner, marks
        self._opened: Named | None = None

    def at(self, index: int) -> list[Action]:
        """Return the actions a message starts."""
        message, text = self._messages[index], self._texts[index]
        if message.content_type == "tool-call":
            return [self._call(index, text)]
        if message.content_type == "tool-result" or self._origins[index] == "observation":
            self._note(index, text)
        if message.content_type != "text":
            return []
        if self._origins[index] == "shell":
            return [self._users(index, text)]
        answered = index + 1 < len(self._messages) and self._origins[index + 1] == "observation"
        block = last_block(text) if message.role == "assistant" else None
        if block is not None and (answered or self._in_text_mode()):
            return [self._written(index, block, answered=answered)]
        return []

    def _in_text_mode(self) -> bool:
        return "observation" in self._origins

    def _note(self, index: int, text: str) -> None:
        """Remember the file an editor says it has open."""
        for found in _OPEN_FILE.finditer(text, max(0, len(text) - 400)):
            where = found.span("path")
            self._opened = (
                None if found["path"] == "n/a" else Named(found["path"], "changed", index, *where)
            )

    def _mark(self, result: int) -> bool | None:
        message = self._messages[result]
        mark = self._marks.get(message.id, message.extra.get("isError"))
        return mark if isinstance(mark, bool) else None

    def _call(self, index: int, text: str) -> Action:
        message, result = self._messages[index], self._partner.get(index, -1)
        purpose = purpose_of(message.tool_name, text)
        if purpose == "shell":
            command, start, end = command_of(text)
            return self._shell(index, result, bare(message.tool_name), (command, start, end))
        answer = self._texts[result] if result >= 0 else ""
        outcome = Outcome("open", "none")
        if result >= 0:
            mark = self._mark(result)
            outcome = (
                report_outcome(answer) if purpose == "errand" else call_outcome(answer, mark=mark)
            )
        files = _named_in(text, purpose, index)
        if not files and purpose == "change" and self._opened is not None:
            files = (self._opened,)
        tool = bare(message.tool_name)
        return Action(index, result, tool, purpose, "", 0, len(text), outcome, files)

    def _shell(
        self,
        index: int,
        result: int,
        tool: str,
        what: tuple[str, int, int],
        answer: str | None = None,
    ) -> Action:
        command, start, end = what
        steps = tuple(steps_of(command))
        outcome = Outcome("open", "none")
        if result >= 0:
            text = self._texts[result] if answer is None else answer
            outcome = _judged(text, steps, mark=self._mark(result))
        files = [
            _placed(touch, self._texts[index], index, start, end) for touch in touches_of(steps)
        ]
        return Action(index, result, tool, "shell", command, start, end, outcome, files, steps)

    def _users(self, index: int, text: str) -> Action:
        stop = text.index("\n")
        action = self._shell(index, index, "user", (text[2:stop], 2, stop), text[stop + 1 :])
        return Action(
            index, index, "user", "shell", action.command, 2, stop, action.outcome, action.files,
            action.steps, by_user=True,
        )  # fmt: skip

    def _written(self, index: int, block: tuple[int, int], *, answered: bool) -> Action:
        """Read a command written into a text."""
        start, result = block[0], index + 1 if answered else -1
        body = self._texts[index][slice(*block)]
        first = body.split("\n", 1)[0]
        words = first.split()
        purpose = _TEXT_EDITS.get(words[0]) if words else None
        if purpose is None:
            return self._shell(index, result, "text", (body, *block))
        outcome = Outcome("open", "none")
        if result >= 0:
            outcome = call_outcome(self._texts[result], mark=self._mark(result))
        end = start + len(first)
        files: tuple[Named, ...] = ()
        if words[0] in ("create", "open") and len(words) > 1:
            name = words[1].strip("\"'")
            how: How = "changed" if purpose == "change" else "read"
            files = (_placed(Touch(name, name, how), self._texts[index], index, start, end),)
        elif purpose == "change" and self._opened is not None:
            files = (self._opened,)
        return Action(index, result, words[0], purpose, first, start, end, outcome, files)


def _judged(text: str, steps: Sequence[Step], *, mark: bool | None) -> Outcome:
    return shell_outcome(
        text,
        masked=is_masked(steps),
        looks=looks_only(steps),
        checks=bool(checks_of(steps)),
        mark=mark,
    )


def _placed(touch: Touch, text: str, index: int, start: int, end: int) -> Named:
    """Find where a command spells a file; the whole command stands for one spelled otherwise."""
    at = text.find(touch.spelled, start, end)
    where = (at, at + len(touch.spelled)) if at >= 0 and touch.spelled else (start, end)
    return Named(touch.path, touch.how, index, *where)


def command_of(text: str) -> tuple[str, int, int]:
    """Return a shell call's command and its place; a list of words is joined."""
    found: list[Argument] = list(arguments_of(text, COMMAND_KEYS))
    if not found:
        return "", 0, len(text)
    if len(found) > 2 and found[0].value in _SHELLS and found[1].value.startswith("-"):
        found = found[2:3]
    return " ".join(a.value for a in found), found[0].start, found[-1].end


_HOWS: Final[Mapping[Purpose, str]] = {"change": "changed", "delete": "deleted", "read": "read"}
_PATCH_HOWS: Final = {"Delete File": "deleted"}


def _named_in(text: str, purpose: Purpose, index: int) -> tuple[Named, ...]:
    """Return the files the arguments of a call name."""
    how = _HOWS.get(purpose)
    if how is None:
        return ()
    if "*** " in text and purpose == "change":
        return tuple(
            Named(m["path"].strip(), _PATCH_HOWS.get(m["verb"], "changed"), index, *m.span("path"))
            for m in _PATCHED.finditer(text)
        )
    return tuple(
        Named(a.value, how, index, a.start, a.end)
        for a in arguments_of(text, PATH_KEYS)
        if a.key and a.value.strip()
    )
