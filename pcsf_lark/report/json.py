"""JSON: one array of one object a file, the shape that programs build on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.diagnostics import Diagnostic, Fix
    from pcsf_lark.report import Report

__all__ = ["as_object", "render"]


def as_object(path: str, report: Report) -> dict[str, Any]:
    """One file's result, as ``grammar/export/check.schema.json`` describes it."""
    return {
        "path": path,
        "bytes": report.bytes,
        "limit": report.limit,
        "left": _left(report),
        "conformant": report.conformant,
        "layout": report.layout,
        "version": report.version,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _left(report: Report) -> int | None:
    """The bytes that are still to be had; below zero those that are too many."""
    if report.bytes is None or report.limit is None:
        return None
    return report.limit - report.bytes


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
        "fix": _fix(finding.fix),
    }


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None or not fix.edits:
        return None
    edits = [
        {
            "text": edit.text,
            "line": edit.span.line,
            "column": edit.span.column,
            "end_line": edit.span.end_line,
            "end_column": edit.span.end_column,
            "offset": edit.span.offset,
            "end": edit.span.end,
        }
        for edit in fix.edits
    ]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


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
