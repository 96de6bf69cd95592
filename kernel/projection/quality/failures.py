"""Failures and blockers: what went wrong and was not put right.

Laws: a mark of error is not a failure: a command that only looks and finds nothing has
done its work; a failure is resolved by a later run of the same that ended well, by a
later change of the same file, or by a later check that passed; what only words tell of
is soft.

Hard: an unresolved failure of a change, of a command that changes things, of a tool's call
(that of a check is hard as a verification). Soft: resolved, minor, or only told of.
"""

import re
from collections.abc import Iterator
from typing import Final

from kernel.projection.quality.commands import checks_of, looks_only, mutates, work_of
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.reading import Action, Reading, fact_of
from kernel.projection.quality.trail import command_key
from kernel.projection.quality.verification import runs_in, settled_later
from kernel.projection.quality.wording import identifiers_of, sentences_of, words_of

__all__ = ["failures"]

_SAID: Final = re.compile(
    r"\b(?:(?:that|this|it|which) (?:won't|didn't|doesn't|does not|did not) work|still (?:fail\w*|broken|not working)"
    r"|(?:did|does|is)(?:n't| not) (?:pass|work|compil\w*)|went wrong|is broken|fails? (?:with|because|due)|failed to"
    r"|blocked (?:by|on)|blocker)\b",
    re.IGNORECASE,
)
_PASTED: Final = re.compile(
    r"^(?:\S{0,120}?[a-z](?:Error|Exception)\b[^\n]*|Error: [^\n]+|fatal: [^\n]+|panic: [^\n]+)$",
    re.MULTILINE,
)


def failures(reading: Reading) -> Iterator[Fact]:
    """Yield a fact for each failure."""
    runs = runs_in(reading)
    unsettled = {run.action.index: False for run in runs}
    for run, settled in zip(runs, settled_later(reading, runs), strict=True):
        unsettled[run.action.index] |= run.outcome.state == "failed" and not settled
    resolved = _Resolved(reading)
    for action in reversed(reading.actions):
        if action.outcome.state == "failed":
            yield _failed(reading, action, unsettled, resolved)
        resolved.add(action)
    yield from _reported(reading)
    yield from _told(reading)


class _Resolved:
    """What the actions after a place put right."""

    def __init__(self, reading: Reading) -> None:
        self._keys: set[str] = set()
        self._files: set[str] = set()
        self._tools: set[str] = set()
        self.reading = reading

    def add(self, action: Action) -> None:
        """Take an action into account."""
        if action.outcome.state == "failed":
            return
        if action.outcome.state == "done":
            self._keys.add(command_key(action))
        self._files.update(n.path for n in action.files if n.how in ("changed", "deleted"))
        if action.purpose == "other" and action.result >= 0:
            self._tools.add(action.tool)

    def holds(self, action: Action) -> bool:
        """Tell whether the failure of an action was put right."""
        if command_key(action) in self._keys or action.tool in self._tools:
            return True
        return action.purpose == "change" and any(n.path in self._files for n in action.files)


def _failed(
    reading: Reading, action: Action, unsettled: dict[int, bool], resolved: _Resolved
) -> Fact:
    checks = checks_of(action.steps) if action.purpose == "shell" else []
    weighty = bool(checks) or action.purpose in ("change", "delete", "other", "errand")
    weighty = weighty or (action.purpose == "shell" and mutates(action.steps))
    still = unsettled.get(action.index)
    put_right = resolved.holds(action) if still is None else not still
    # A failed check is hard as a verification; here it is only told.
    hard = weighty and not put_right and still is None and not looks_only(action.steps)
    names = _names(
        action,
        [
            part
            for check in checks
            for part in (*check.operands, *([] if check.operands else [check.name]))
        ],
    )
    return fact_of(
        reading,
        "failure",
        _subkind(weighty=weighty, put_right=put_right, check=still is not None),
        (action.index, action.start, action.end),
        key=f"failure:{command_key(action)}",
        value=work_of(action.steps) or action.tool,
        hardness="hard" if hard and names else "soft",
        state="done" if put_right else "failed",
        needs=(Need("phrase", names), Need("marker", ("fail",))) if names else (),
    )


def _subkind(*, weighty: bool, put_right: bool, check: bool) -> str:
    if put_right:
        return "resolved"
    if check:
        return "check-unresolved"
    return "unresolved" if weighty else "minor"


def _names(action: Action, checks: list[str]) -> list[str]:
    files = [named.path.rsplit("/", 1)[-1] for named in action.files]
    steps = [" ".join(step.words[:2]) for step in action.steps if step.words]
    tool = [action.tool] if action.purpose != "shell" else []
    return list(dict.fromkeys([*checks, *action.outcome.names, *files, *tool, *steps[-1:]]))


def _reported(reading: Reading) -> Iterator[Fact]:
    """Yield failures a user pasted; open where nothing was changed after them."""
    changes = [a.index for a in reading.actions if any(n.how == "changed" for n in a.files)]
    last = max(changes, default=-1)
    for index in reading.spoken("user", "document"):
        found = _PASTED.search(reading.texts[index])
        if found is None:
            continue
        names = identifiers_of(found[0])[:6]
        still = index > last and reading.origins[index] == "user"
        yield fact_of(
            reading,
            "failure",
            "reported",
            (index, *found.span()),
            key=f"failure:{found[0]}",
            hardness="hard" if still and names else "soft",
            state="open" if still else "unknown",
            needs=(Need("exact", names), Need("marker", ("fail",))) if names else (),
        )


def _told(reading: Reading) -> Iterator[Fact]:
    for index in reading.spoken("assistant"):
        text = reading.texts[index]
        if _SAID.search(text) is None:
            continue
        for start, end in sentences_of(text):
            if _SAID.search(text, start, end) is not None:
                words = words_of(text[start:end])
                yield fact_of(
                    reading, "failure", "said", (index, start, end), key=f"said:{' '.join(words)}",
                    state="unknown", needs=(Need("word", words, max(1, len(words) // 2)),) if words else (),
                )  # fmt: skip
