"""Human: each finding with its line, a caret under its place, and the mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import named, standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.report import Report

__all__ = ["render"]

_BOLD, _RED, _GREEN, _OFF = "\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[0m"


def render(
    results: Iterable[tuple[str, Report]],
    *,
    colour: bool,
    summary: bool,
    columns: int | None = None,
) -> Iterator[str]:
    """Findings as a good compiler shows them, then a line a file; folded to ``columns``."""
    files = conformant = findings = safe = unsafe = 0
    paint = _paint if colour else _plain
    for name, report in results:
        path = named(name)
        for finding in report.findings:
            from pcsf_lark.report.excerpt import excerpt  # noqa: PLC0415 - most files are clean

            yield excerpt(path, finding, report.source, paint, columns) + "\n"
            if finding.fix:
                safe += finding.fix.safe
                unsafe += not finding.fix.safe
        said, how = ("conformant", _GREEN) if report.conformant else ("not conformant", _RED)
        told = f", {standing(report.bytes, report.limit)}"
        verdict = _fold(f": {said}{told}", columns, path)
        yield f"{path}{verdict.replace(said, paint(said, how), 1)}"
        files += 1
        conformant += report.conformant
        findings += len(report.findings)
    if summary:
        counts = (
            f"{_count(files, 'file')} checked: {conformant} conformant, "
            f"{files - conformant} not; {_count(findings, 'finding')}"
        )
        yield paint(_fold(counts, columns), _BOLD)
        if safe or unsafe:
            yield _fold(_fixable(safe, unsafe), columns)


def _fold(text: str, columns: int | None, before: str = "") -> str:
    if columns is None:
        return text
    from pcsf_lark.report.folding import folded  # noqa: PLC0415 - for a terminal alone
    from pcsf_lark.report.text import width  # noqa: PLC0415 - likewise

    return folded(text, columns, taken=width(before), hang=2)


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
