"""GitHub: workflow commands, which a run of GitHub Actions shows as annotations.

GitHub shows ten annotations of a kind and step and drops the rest silently; so
what is beyond the tenth is printed as a plain line, and counted at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import column, named, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source

__all__ = ["render"]

_KINDS = {"error": "error", "warning": "warning", "info": "notice"}
_SHOWN = 10


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,  # noqa: ARG001 - formats for programs have none
    summary: bool,  # noqa: ARG001 - likewise
) -> Iterator[str]:
    """A command a finding, up to what is shown."""
    counts = dict.fromkeys(_KINDS.values(), 0)
    for path, report in results:
        for finding in report.findings:
            kind = _KINDS[finding.severity.value]
            counts[kind] += 1
            if counts[kind] <= _SHOWN:
                yield _command(kind, path, finding, report.source)
            else:
                yield f"{named(path)}:{finding.span.line}:{finding.span.column}: " + printable(
                    f"{kind} {finding.code} {finding.name}: {finding.message}; {finding.help}"
                )
    beyond = {kind: count - _SHOWN for kind, count in counts.items() if count > _SHOWN}
    if beyond:
        told = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in beyond.items())
        yield f"not annotated, since GitHub shows {_SHOWN} of a kind: {told}"


def _command(kind: str, path: str, finding: Diagnostic, source: Source) -> str:
    span = finding.span
    places: dict[str, str | int] = {"file": path, "line": span.line, "endLine": span.end_line}
    if span.line == span.end_line:
        places["col"] = column(source, span.line, span.column)
        places["endColumn"] = column(source, span.line, span.end_column)
    places["title"] = f"{finding.code} {finding.name}"
    told = ",".join(f"{name}={_property(str(value))}" for name, value in places.items())
    return f"::{kind} {told}::{_data(printable(f'{finding.message}; {finding.help}'))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
