"""The findings of a capsule as they are shown: the worst first, each with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.faces.pages.room import Room
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source

__all__ = ["Found", "findings"]

#: The most findings, and characters of what one says.
_MOST, _SAID = 24, 300
#: The characters around a place that are tried, until there is room for them.
_AROUND = (36, 12, 4)
#: The bytes of a finding's markup.
_MARKUP = 420
_TAB, _TAB_SEEN = "\t", "\N{SYMBOL FOR HORIZONTAL TABULATION}"


@frozen
class Found:
    """A finding: how bad, what, where, how to mend it, and the line with its place marked."""

    severity: str
    code: str
    name: str
    place: str
    message: str
    help: str
    before: str
    marked: str
    after: str


def findings(report: Report, source: Source, room: Room) -> tuple[Found, ...]:
    """The worst findings of a report, as many as there is room for."""
    ordered = sorted(report.findings, key=lambda found: found.severity.rank)
    shown = []
    for found in ordered[:_MOST]:
        if not room.has(_MARKUP):
            break
        shown.append(_found(found, source, room))
    return tuple(shown)


def _found(found: Diagnostic, source: Source, room: Room) -> Found:
    span = found.span
    said = room.text(found.message, _SAID), room.text(found.help, _SAID)
    around = (_excerpt(source, span.line - 1, span.offset, span.end, many) for many in _AROUND)
    excerpt = next((parts for parts in around if room.whole(*parts)), ("", "", ""))
    place = f"{span.line}:{span.column}"
    return Found(found.severity.value, found.code, found.name, place, *said, *excerpt)


def _excerpt(source: Source, index: int, offset: int, end: int, around: int) -> tuple[str, ...]:
    """The line that a place is in, around it: before, the place itself, after."""
    if index >= len(source):
        return "", "", ""
    start, stop = source.bounds(index)
    offset, end = min(offset, stop), min(end, stop)
    first, last = max(start, offset - around), min(stop, max(end, offset) + around)
    last = min(last, first + 3 * around)
    end = min(end, last)
    text = source.text
    head = "…" if first > start else ""
    tail = "…" if last < stop else ""
    parts = head + text[first:offset], text[offset:end], text[end:last] + tail
    return tuple(part.replace(_TAB, _TAB_SEEN) for part in parts)
