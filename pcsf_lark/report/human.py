"""Human: each finding with its line, a caret under its place, and the mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.report import Report

__all__ = ["render"]

_BOLD, _RED, _GREEN, _OFF = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[0m"


def render(results: Iterable[tuple[str, Report]], *, colour: bool, summary: bool) -> Iterator[str]:
    """Findings as a good compiler shows them, then a line a file."""
    files = conformant = findings = safe = unsafe = 0
    paint = _paint if colour else _plain
    for path, report in results:
        for finding in report.findings:
            from pcsf_lark.report.excerpt import excerpt  # noqa: PLC0415 - most files are clean

            yield excerpt(path, finding, report.source, paint) + "\n"
            if finding.fix:
                safe += finding.fix.safe
                unsafe += not finding.fix.safe
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
        if safe or unsafe:
            yield _fixable(safe, unsafe)


def _fixable(safe: int, unsafe: int) -> str:
    ways = [f"{safe} can be mended with --fix"] * (safe > 0)
    ways += [f"{unsafe} with --fix --unsafe-fixes"] * (unsafe > 0)
    return ", ".join(ways)


def _paint(text: str, how: str) -> str:
    return f"{how}{text}{_OFF}"


def _plain(text: str, _how: str) -> str:
    return text


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
