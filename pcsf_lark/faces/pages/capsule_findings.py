"""The findings of a capsule as they are shown: the worst first, each with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.faces.pages.wording import decoded

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
#: Bytes of UTF-8 that go on with a character.
_WITHIN = frozenset(map(chr, range(0x80, 0xC0)))
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
    said = [room.text(decoded(text), _SAID) for text in (found.message, found.help)]
    around = (_excerpt(source, span.line - 1, span.offset, span.end, many) for many in _AROUND)
    excerpt = next((parts for parts in around if room.whole(*parts)), ("", "", ""))
    place = f"{span.line}:{span.column}"
    return Found(found.severity.value, found.code, found.name, place, *said, *excerpt)


def _excerpt(source: Source, index: int, offset: int, end: int, around: int) -> tuple[str, ...]:
    """The line that a place is in, around it: before, the place itself, after."""
    if index >= len(source):
        return "", "", ""
    start, stop = source.bounds(index)
    text = source.text
    offset, end = _whole(text, min(offset, stop), start), min(end, stop)
    first, last = max(start, offset - around), min(stop, max(end, offset) + around)
    first = _whole(text, first, start)
    last = _whole(text, min(last, first + 3 * around), offset)
    end = min(end, last)
    parts = (text[first:offset], text[offset:end], text[end:last])
    before, marked, after = (decoded(part).replace(_TAB, _TAB_SEEN) for part in parts)
    return "…" * (first > start) + before, marked, after + "…" * (last < stop)


def _whole(text: str, at: int, least: int) -> int:
    """The place, or where the character of UTF-8 begins that it is within."""
    for place in range(at, max(at - 4, least - 1), -1):
        char = text[place : place + 1]
        if char not in _WITHIN:
            return place if char >= "\xc0" else at
    return at
