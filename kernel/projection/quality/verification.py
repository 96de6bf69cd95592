"""Tests, builds, linters and trial runs: what was checked, and what came of it last.

Laws: a run is known again by its name and operands, however it is filtered; the last run
that ended is current, also where its outcome is unknown; a run of everything settles the
runs of parts before it; a check a sub-agent reports on counts as run.

Hard: the current run failed. Soft: it passed, its outcome is unknown, or it is superseded.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from kernel.projection.quality.arguments import arguments_of
from kernel.projection.quality.commands import Check, checks_of
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.outcomes import Outcome, report_outcome
from kernel.projection.quality.reading import Action, Reading, fact_of
from kernel.projection.quality.shell import steps_of

__all__ = ["GENERIC", "Run", "runs_in", "settled_later", "verification"]

#: What prose calls a check of a kind.
GENERIC: Final = {
    "test": ("test", "tests", "test suite", "suite", "check", "checks", "测试"),
    "lint": (
        "lint",
        "linting",
        "linter",
        "typecheck",
        "type check",
        "type checks",
        "types",
        "checks",
    ),
    "build": ("build", "builds", "compilation", "compile", "compiles", "编译", "构建"),
    "run": ("script",),
}
#: How many outputs of the last passing runs are looked into.
_LATER: Final = 8
_QUOTED: Final = re.compile(r"`([^`\n]+)`")


@frozen
class Run:
    """One check that was run, and how it ended."""

    action: Action
    check: Check
    outcome: Outcome

    @property
    def key(self) -> str:
        """Return the identity of the check: what is run on what."""
        return f"check:{' '.join((self.check.name, *self.check.operands))}"


def runs_in(reading: Reading) -> list[Run]:
    """Return the checks of a conversation, in order."""
    found: list[Run] = []
    for action in reading.actions:
        if action.purpose == "shell":
            found += [Run(action, check, action.outcome) for check in checks_of(action.steps)]
        elif action.purpose == "errand" and action.result >= 0:
            found += _reported(reading, action)
    return found


def _reported(reading: Reading, action: Action) -> Iterator[Run]:
    """Yield the checks an errand was sent on, judged by the paragraphs that name them."""
    asked = " \n".join(
        a.value for a in arguments_of(reading.texts[action.index], {"prompt", "task"})
    )
    report = reading.texts[action.result]
    parts = report.split("\n\n")
    for quoted in _QUOTED.findall(asked):
        for check in checks_of(steps_of(quoted)):
            word = check.name.split()[0].lower()
            own = [part for part in parts if word in part.lower()]
            outcome = report_outcome("\n".join(own))
            yield Run(
                action, check, report_outcome(report) if outcome.state == "unknown" else outcome
            )


def settled_later(reading: Reading, runs: list[Run]) -> list[bool]:
    """Tell of each run whether a later one that ended speaks of the same.

    A later run that passed and shows in its output that it ran the same program counts too.
    """
    settled = [False] * len(runs)
    exact: set[str] = set()
    whole: set[str] = set()
    passed: list[str] = []
    for at in range(len(runs) - 1, -1, -1):
        run = runs[at]
        settled[at] = run.key in exact or run.check.name in whole
        if run.outcome.state == "failed" and not settled[at]:
            program = run.check.name.split()[0]
            settled[at] = any(program in output for output in passed)
        # How it went must be known: one that is masked, or was aborted, puts nothing right.
        if run.outcome.state in ("done", "failed") and run.outcome.evidence != "aborted":
            exact.add(run.key)
            if not run.check.operands:
                whole.add(run.check.name)
        if run.outcome.state == "done" and run.action.result >= 0 and len(passed) < _LATER:
            passed.append(reading.texts[run.action.result][:4000])
    return settled


def verification(reading: Reading) -> Iterator[Fact]:
    """Yield a fact for each check that was run."""
    runs = runs_in(reading)
    settled = settled_later(reading, runs)
    alike = Counter(run.check.name for run, done in zip(runs, settled, strict=True) if not done)
    kinds = Counter(run.check.kind for run, done in zip(runs, settled, strict=True) if not done)
    for run, done in zip(runs, settled, strict=True):
        alone = (alike[run.check.name] < 2, kinds[run.check.kind] < 2)
        yield fact_of(
            reading,
            "verification",
            f"{run.check.kind}-superseded" if done else run.check.kind,
            (run.action.index, run.action.start, run.action.end),
            key=run.key,
            value=run.check.name,
            hardness="hard" if run.outcome.state == "failed" and not done else "soft",
            state=run.outcome.state,
            needs=_needs(run, *alone),
        )


def _needs(run: Run, only_name: bool, only_kind: bool) -> tuple[Need, ...]:  # noqa: FBT001 - two of a tuple
    """Return what names a check: its operands, what went wrong, its name and its kind if it alone has them."""
    operands = [part for whole in run.check.operands for part in (whole, whole.rsplit("/", 1)[-1])]
    names = [*operands, *run.outcome.names]
    if only_name or not operands:
        names += [run.check.name]
    if only_kind:
        names += GENERIC[run.check.kind]
    named = Need("phrase", tuple(dict.fromkeys(name for name in names if name)))
    return (named, Need("marker", ("fail",))) if run.outcome.state == "failed" else (named,)
