"""Scoring a command: every case asked, refusals proved, skipped cases held to failing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from pcsf_lark.conformance import Outcome
from pcsf_lark.conformance.proving import accepted, canaries, group, unproven, withdrawn
from pcsf_lark.faces.asking import run
from pcsf_lark.faces.progress import counted, doing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pcsf_lark.conformance import Case

__all__ = ["score"]


def score(
    command: Sequence[str],
    chosen: Sequence[Case],
    skipped: Sequence[Case] = (),
    *,
    suite: Iterable[Case],
    timeout: float,
    jobs: int,
    retry: bool = False,
) -> list[Outcome]:
    """What became of each case, first the chosen ones, then the skipped.

    With ``retry`` skipped cases are asked too, and one that passes has failed.
    ``suite``: where valid cases are found that prove refusals. Raises OSError
    when the command cannot be started.
    """
    asked = [*chosen, *(skipped if retry else ())]
    answers = run(command, asked, timeout=timeout, jobs=jobs)
    found = list(counted(answers, "asking", len(asked), "cases"))
    with doing("proving refusals"):
        found = _proved(command, found, tuple(suite), timeout)
    first, again = found[: len(chosen)], found[len(chosen) :]
    left = again if retry else [Outcome(case, "skipped") for case in skipped]
    return first + [_must_fail(one) if retry else one for one in left]


def _proved(
    command: Sequence[str], found: list[Outcome], suite: Sequence[Case], timeout: float
) -> list[Outcome]:
    """Outcomes without the refusals of a command that accepts nothing."""
    tried: dict[str, list[Outcome]] = {}
    for name in unproven(found):
        asked: list[Outcome] = []
        for case in canaries(suite, name):
            asked += run(command, [case], timeout=timeout)
            if accepted(asked[-1]):
                break
        else:
            tried[name] = asked
    return [
        withdrawn(one, tried[group(one.case)]) if group(one.case) in tried else one for one in found
    ]


def _must_fail(outcome: Outcome) -> Outcome:
    """A skipped case that passes need not be skipped any more; a crash stays one."""
    if outcome.result == "passed":
        return evolve(outcome, result="failed", detail="passes, though it is skipped")
    if outcome.result == "failed":
        return evolve(outcome, result="skipped")
    return outcome
