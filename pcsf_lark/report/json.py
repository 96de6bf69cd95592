"""JSON: one array of one object a file, the shape that programs build on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.report import Report

__all__ = ["as_object", "render"]


def as_object(path: str, report: Report) -> dict[str, Any]:
    """One file's result, as ``grammar/export/check.schema.json`` describes it."""
    return {
        "path": path,
        "bytes": report.bytes,
        "limit": report.limit,
        "conformant": report.conformant,
        "layout": report.layout,
        "version": report.version,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _finding(finding: Diagnostic) -> dict[str, Any]:
    span = finding.span
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "help": finding.help,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "offset": span.offset,
    }


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,  # noqa: ARG001 - formats for programs have none
    summary: bool,  # noqa: ARG001 - likewise
) -> Iterator[str]:
    """An array, written as the results come."""
    opened = False
    for path, report in results:
        yield (", " if opened else "[") + json.dumps(as_object(path, report), indent=1)
        opened = True
    yield "]" if opened else "[]"
