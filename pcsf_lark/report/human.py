"""Human: each finding with its line, a caret under its place, and the mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import printable, standing, width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source

    _Painter = Callable[[str, str], str]

__all__ = ["render"]

#: How much of a line is shown; a capsule's own lines are rarely longer.
_ROOM = 160
_BOLD, _RED, _YELLOW, _BLUE, _GREEN, _OFF = (f"\x1b[{n}m" for n in (1, 31, 33, 34, 32, 0))
_SEVERITY = {"error": _RED, "warning": _YELLOW, "info": _BLUE}


def render(results: Iterable[tuple[str, Report]], *, colour: bool, summary: bool) -> Iterator[str]:
    """Findings as a good compiler shows them, then a line a file."""
    files = conformant = findings = 0
    paint = _paint if colour else _plain
    for path, report in results:
        for finding in report.findings:
            yield _finding(path, finding, report.source, paint) + "\n"
        verdict = (
            paint("conformant", _GREEN) if report.conformant else paint("not conformant", _RED)
        )
        yield f"{path}: {verdict}, {standing(report.bytes, report.limit)}"
        files += 1
        conformant += report.conformant
        findings += len(report.findings)
    if summary:
        yield paint(
            f"{_count(files, 'file')} checked: {conformant} conformant, "
            f"{files - conformant} not; {_count(findings, 'finding')}",
            _BOLD,
        )


def _paint(text: str, how: str) -> str:
    return f"{how}{text}{_OFF}"


def _plain(text: str, _how: str) -> str:
    return text


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _finding(path: str, finding: Diagnostic, source: Source, paint: _Painter) -> str:
    span, how = finding.span, _SEVERITY[finding.severity.value]
    rule = paint(f"{finding.severity.value} {finding.code} {finding.name}", how)
    place = f"{path}:{span.line}:{span.column}"
    lines = [f"{place}: {rule}: {printable(finding.message)}"]
    if 1 <= span.line <= len(source):
        number = str(span.line)
        margin = " " * len(number)
        before, marked, after = _excerpt(source, finding)
        caret = " " * width(before) + paint("^" * max(1, width(marked)), how)
        bar = paint("|", _BLUE)
        lines += [
            f"{margin} {bar}",
            f"{paint(number, _BLUE)} {bar} {before}{marked}{after}",
            f"{margin} {bar} {caret}",
        ]
        lines.append(f"{margin} = help: {printable(finding.help)}")
    else:
        lines.append(f"  = help: {printable(finding.help)}")
    return "\n".join(lines)


def _excerpt(source: Source, finding: Diagnostic) -> tuple[str, str, str]:
    """The line's text before, under and after the caret, cut to the room there is."""
    text = source.line(finding.span.line - 1)
    start = min(finding.span.column - 1, len(text))
    end = len(text) if finding.span.end_line > finding.span.line else finding.span.end_column - 1
    end = min(max(end, start), len(text))
    left = max(0, start - _ROOM // 2)
    right = min(len(text), left + _ROOM)
    end = min(end, right)
    before = ("..." if left else "") + printable(text[left:start])
    after = printable(text[end:right]) + ("..." if right < len(text) else "")
    return before, printable(text[start:end]), after
