"""SARIF 2.1.0: one run with all results, for code-scanning services.

Laws of this file: one run whatever the number of files, since services limit
runs; no empty list of changes, since one makes GitHub refuse the whole upload;
columns are counted in characters, as the run says.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pcsf_lark.report.text import column, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.diagnostics import Diagnostic, Edit
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source, Span

__all__ = ["render"]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,  # noqa: ARG001 - formats for programs have none
    summary: bool,  # noqa: ARG001 - likewise
) -> Iterator[str]:
    """One log."""
    rules: dict[str, dict[str, Any]] = {}
    found = []
    for path, report in results:
        for finding in report.findings:
            rules.setdefault(finding.code, _rule(finding, report.explain(finding.code)))
            index = list(rules).index(finding.code)
            found.append(_result(path, finding, index, report.source))
    driver = {"name": "pcsf", "version": _version(), "rules": list(rules.values())}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": found}
    yield json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow

    try:
        return version("pcsf-lark")
    except PackageNotFoundError:  # run from a checkout
        return "0"


def _rule(finding: Diagnostic, manual: str) -> dict[str, Any]:
    return {
        "id": finding.code,
        "name": finding.name,
        "shortDescription": {"text": manual.partition("\n")[0] or finding.name},
        "fullDescription": {"text": manual or finding.name},
        "help": {"text": manual or finding.name},
        "defaultConfiguration": {"level": _LEVELS[finding.severity.value]},
    }


def _result(path: str, finding: Diagnostic, index: int, source: Source) -> dict[str, Any]:
    location = {"uri": _uri(path)}
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity.value],
        "message": {"text": printable(f"{finding.message}; {finding.help}")},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": location,
                    "region": _region(finding.span, source),
                }
            }
        ],
    }
    if finding.fix and finding.fix.edits:
        change = {
            "artifactLocation": location,
            "replacements": [_replacement(edit, source) for edit in finding.fix.edits],
        }
        result["fixes"] = [
            {"description": {"text": printable(finding.fix.title)}, "artifactChanges": [change]}
        ]
    return result


def _replacement(edit: Edit, source: Source) -> dict[str, Any]:
    replacement: dict[str, Any] = {"deletedRegion": _region(edit.span, source)}
    if edit.text:
        replacement["insertedContent"] = {"text": edit.text}
    return replacement


def _region(span: Span, source: Source) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": column(source, span.line, span.column),
        "endLine": span.end_line,
        "endColumn": column(source, span.end_line, span.end_column),
        "byteOffset": span.offset,
        "byteLength": span.end - span.offset,
    }


def _uri(path: str) -> str:
    if _DRIVE.match(path):
        return "file:///" + quote(path.replace("\\", "/"), safe="/:")
    return ("file://" if path.startswith("/") else "") + quote(path)
