"""A finding as a good compiler shows it: place, line, caret, help, fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.folding import folded
from pcsf_lark.report.text import printable, width

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.source import Source

    _Painter = Callable[[str, str], str]

__all__ = ["excerpt"]

#: How much of a line is shown; a capsule's own lines are rarely longer.
_ROOM, _LEAST = 160, 16
#: How far what goes on of a message is indented.
_HANG = 4
_RED, _YELLOW, _BLUE = "\x1b[31m", "\x1b[33m", "\x1b[34m"
_SEVERITY = {"error": _RED, "warning": _YELLOW, "info": _BLUE}


def excerpt(
    path: str, finding: Diagnostic, source: Source, paint: _Painter, columns: int | None = None
) -> str:
    """A finding over several lines, of at most ``columns``; ``paint`` colours a text, or leaves it."""
    span, how = finding.span, _SEVERITY[finding.severity.value]
    rule = f"{finding.severity.value} {finding.code} {finding.name}"
    place = f"{path}:{span.line}:{span.column}"
    head = folded(f"{place}: {rule}: {printable(finding.message)}", columns, hang=_HANG)
    # A rule that is folded itself goes without its colour.
    lines = [head.replace(f" {rule}:", f" {paint(rule, how)}:", 1)]
    if 1 <= span.line <= len(source):
        number = str(span.line)
        margin = " " * len(number)
        room = _ROOM if columns is None else min(_ROOM, columns - len(number) - 3)
        before, marked, after = _around(source, finding, room)
        caret = " " * width(before) + paint("^" * max(1, width(marked)), how)
        bar = paint("|", _BLUE)
        lines += [
            f"{margin} {bar}",
            f"{paint(number, _BLUE)} {bar} {before}{marked}{after}",
            f"{margin} {bar} {caret}",
        ]
    else:
        margin = " "
    notes = [("help", finding.help)]
    if finding.fix:
        notes.append((f"fix ({'safe' if finding.fix.safe else 'unsafe'})", finding.fix.title))
    for name, note in notes:
        lines.append(folded(f"{margin} = {name}: {printable(note)}", columns, hang=len(margin) + 5))
    return "\n".join(lines)


def _around(source: Source, finding: Diagnostic, room: int) -> tuple[str, str, str]:
    """The line's text before, under and after the caret, cut to the columns there are."""
    size = room
    while True:
        parts = _cut(source, finding, size)
        if sum(map(width, parts)) <= room or size <= _LEAST:
            return parts
        # The marks of a cut take room, and so may what stands for a byte.
        size -= max(1, size // 8)


def _cut(source: Source, finding: Diagnostic, size: int) -> tuple[str, str, str]:
    text = source.line(finding.span.line - 1)
    start = min(finding.span.column - 1, len(text))
    end = len(text) if finding.span.end_line > finding.span.line else finding.span.end_column - 1
    end = min(max(end, start), len(text))
    left = max(0, start - size // 2)
    right = min(len(text), left + size)
    end = min(end, right)
    before = ("..." if left else "") + printable(text[left:start])
    after = printable(text[end:right]) + ("..." if right < len(text) else "")
    return before, printable(text[start:end]), after
