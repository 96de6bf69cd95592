"""What a file is checked by where it has a configuration: the command line comes first.

``select`` of the command line takes the place of the configuration's,
``ignore`` adds to it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from attrs import evolve

from pcsf_lark.api import chosen
from pcsf_lark.faces.files import STDIN
from pcsf_lark.rules import default_codes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.diagnostics import Severity
    from pcsf_lark.faces.checking import Plan
    from pcsf_lark.faces.settings import Settings
    from pcsf_lark.report import Report

__all__ = ["plan", "weighed"]


def plan(
    given: Plan,
    settings: Settings,
    *,
    profile: str | None,
    fail_on: Severity | None,
    select: tuple[str, ...] | None,
    ignore: tuple[str, ...],
) -> Plan | None:
    """The plan for a file, None for one that its configuration excludes.

    ``given`` is the file's plan without configuration; the other arguments say
    what of it the command line asked for. Raises ValueError for a selector that
    fits no rule.
    """
    if given.path != STDIN and settings.excludes(given.name):
        return None
    codes = _chosen(settings.select if select is None else select, settings.ignore + ignore)
    if excused := settings.ignored(given.name):
        codes = (default_codes() if codes is None else codes) - excused
    return given._replace(
        profile=profile or settings.profile or given.profile,
        codes=codes,
        fail_on=fail_on or settings.fail_on or given.fail_on,
        severities=settings.severities,
        budget=settings.budget,
    )


@cache
def _chosen(select: tuple[str, ...] | None, ignore: tuple[str, ...]) -> frozenset[str] | None:
    return chosen(select, ignore)


def weighed(report: Report, severities: Mapping[str, Severity]) -> Report:
    """The report with the severities that a configuration gives to its findings."""
    findings = tuple(
        evolve(finding, severity=severities[finding.code])
        if finding.code in severities
        else finding
        for finding in report.findings
    )
    return evolve(report, findings=findings)
