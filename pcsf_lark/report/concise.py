"""Concise: a line a finding, as editors and grep read it, and a line a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import named, printable, standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.report import Report

__all__ = ["render"]


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,  # noqa: ARG001 - never coloured: it is piped more than read
    summary: bool,  # noqa: ARG001 - likewise
) -> Iterator[str]:
    """``path:line:column: CODE name: message``."""
    for name, report in results:
        path = named(name)
        for finding in report.findings:
            yield f"{path}:{finding.span.line}:{finding.span.column}: " + printable(
                f"{finding.code} {finding.name}: {finding.message}"
            )
        verdict = "conformant" if report.conformant else "not conformant"
        yield f"{path}: {verdict}, {standing(report.bytes, report.limit)}"
