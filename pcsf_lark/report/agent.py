"""Agent: a line a finding, that says what to do, for a model that mends what it reads.

A conformant capsule without findings gives no line at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import named, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.report import Report

__all__ = ["render"]


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,  # noqa: ARG001 - formats for programs have none
    summary: bool,  # noqa: ARG001 - likewise
) -> Iterator[str]:
    """A line such as ``path:line:column: Do this. CODE: what is wrong``."""
    for name, report in results:
        path = named(name)
        for finding in report.findings:
            mend = printable(finding.help)
            yield (
                f"{path}:{finding.span.line}:{finding.span.column}: {mend[:1].upper()}{mend[1:]}"
                f"{'' if mend.endswith('?') else '.'} "
                f"{finding.code}: {printable(finding.message)}."
            )
