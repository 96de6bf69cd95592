"""Checking one file after another, or in several processes, in the order they came.

Laws of this file: the outcomes stand in the order of the plans, whatever the
number of processes; one file's trouble is an outcome, and the rest go on.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from pcsf_lark.api import check_source
from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.files import STDIN, Trouble, read, replace
from pcsf_lark.rules import NEARLY_SPENT
from pcsf_lark.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pcsf_lark.report import Report

__all__ = ["Outcome", "Plan", "run"]


# Named tuples: a frozen attrs class takes five times as long to make, at each start.
class Plan(NamedTuple):
    """How a file is to be checked; ``name`` is what results call it."""

    path: str = ""
    name: str = ""
    profile: str = "interop"
    codes: frozenset[str] | None = None
    fail_on: Severity = Severity.ERROR
    severities: Mapping[str, Severity] = {}
    budget: int = NEARLY_SPENT
    pardons: Mapping[str, frozenset[str]] = {}
    fix: bool = False
    write: bool = False
    unsafe: bool = False
    restamp: bool = False


class Outcome(NamedTuple):
    """What came of a file: its report, whether it fails, and what mending changed.

    ``before`` and ``after`` are its bytes where they differ; ``mended`` is how
    many findings were mended.
    """

    path: str
    name: str
    report: Report
    fails: bool
    before: bytes | None = None
    after: bytes | None = None
    mended: int = 0


def run(plans: Iterable[Plan | Trouble], jobs: int) -> Iterator[Outcome | Trouble]:
    """The outcome of each plan, in order; 0 jobs are one a processor. Raises RuleError.

    On a terminal it is told how far it is.
    """
    if sys.stderr.isatty():
        from pcsf_lark.faces.progress import counted  # noqa: PLC0415 - for people alone

        known = list(plans)
        yield from counted(_run(known, jobs), "checking", len(known), "files")
    else:
        yield from _run(plans, jobs)


def _run(plans: Iterable[Plan | Trouble], jobs: int) -> Iterator[Outcome | Trouble]:
    if jobs == 1:
        yield from map(_safely, plans)
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - for --jobs alone

    with ProcessPoolExecutor(jobs or None) as pool:
        yield from pool.map(_safely, plans, chunksize=32)


def _safely(plan: Plan | Trouble) -> Outcome | Trouble:
    if isinstance(plan, Trouble):
        return plan
    try:
        return _examine(plan)
    except Trouble as trouble:
        return trouble


def _examine(plan: Plan) -> Outcome:
    source = read(plan.path)
    codes, before, after, mended = plan.codes, None, None, 0
    if plan.pardons:
        from pcsf_lark.faces.baseline import left  # noqa: PLC0415 - for --baseline alone

        codes = left(codes, plan.pardons, source)
    if plan.fix:
        from pcsf_lark.mending import fix_source  # noqa: PLC0415 - judging mends nothing

        result = fix_source(
            source,
            profile=plan.profile,
            codes=codes,
            budget=plan.budget,
            unsafe=plan.unsafe,
            restamp=plan.restamp,
        )
        if result.data != source.data:
            before, after = source.data, result.data
            mended = len(result.applied) + result.restamped
            source = Source.of(after)
            if plan.write and plan.path != STDIN:
                replace(plan.path, after)
    report = check_source(source, profile=plan.profile, codes=codes, budget=plan.budget)
    if plan.severities:
        from pcsf_lark.faces.planning import weighed  # noqa: PLC0415 - where one is configured

        report = weighed(report, plan.severities)
    fails = any(finding.severity.rank <= plan.fail_on.rank for finding in report.findings)
    return Outcome(plan.path, plan.name, report, fails, before, after, mended)
