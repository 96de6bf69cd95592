"""Whether a command that refuses has shown that it can accept.

Laws: a program that never gets as far as reading its input (a file that does
not parse, a module that is missing) may end with exit code 1 and any words, or
none. So a refusal counts only from a command that accepted a valid case of the
same group: a decoder any capsule, an operation an input of that operation, a
matcher a text of that grammar. A list of the right codes needs no such proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.conformance.case import Case
    from pcsf_lark.conformance.judging import Outcome

__all__ = ["accepted", "canaries", "group", "unproven", "withdrawn"]

_MOST = 6


def group(case: Case) -> str:
    """What a case's refusal is proved within: the operation, the grammar, or all capsules."""
    return case.name.rpartition("/")[0] if case.arguments else ""


def accepted(outcome: Outcome) -> bool:
    """Whether a valid case was answered with exit code 0, rightly otherwise or not."""
    return outcome.exit == 0 and outcome.case.expected.exit == 0


def unproven(outcomes: Iterable[Outcome]) -> frozenset[str]:
    """The groups in which refusals count and nothing was accepted."""
    told = tuple(outcomes)
    proved = {group(one.case) for one in told if accepted(one)}
    return frozenset(group(one.case) for one in told if _bare_refusal(one)) - proved


def canaries(suite: Iterable[Case], name: str) -> tuple[Case, ...]:
    """A few valid cases of a group, short ones, of each version and layout where it has some."""
    valid = [case for case in suite if case.expected.exit == 0 and group(case) == name]
    kinds: dict[object, Case] = {}
    for case in sorted(valid, key=lambda case: (len(case.stdin), case.name)):
        kind = case.arguments, case.stdin.partition(b"\n")[0], b"\n\nL2:" in case.stdin
        kinds.setdefault(kind, case)
    return tuple(kinds.values())[:_MOST]


def withdrawn(outcome: Outcome, asked: Iterable[Outcome]) -> Outcome:
    """A refusal as what it is where all of ``asked``, canaries of its group, were refused too."""
    if not _bare_refusal(outcome):
        return outcome
    told = tuple(asked)
    more = f" and {len(told) - 1} more valid cases" if len(told) > 1 else ""
    why = f"no refusal: it takes none of {told[0].case.name}{more} either"
    last = next((one.told for one in told if one.told), "")
    return evolve(outcome, result="broken", detail=f"{why}: {last}" if last else why)


def _bare_refusal(outcome: Outcome) -> bool:
    expected = outcome.case.expected
    return outcome.result == "passed" and expected.exit == 1 and expected.codes is None
