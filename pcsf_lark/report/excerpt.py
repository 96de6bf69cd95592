"""A finding as a good compiler shows it: place, line, caret, help, fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.report.text import printable, width

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.source import Source

    _Painter = Callable[[str, str], str]

__all__ = ["excerpt"]

#: How much of a line is shown; a capsule's own lines are rarely longer.
_ROOM = 160
_RED, _YELLOW, _BLUE = "\x1b[31m", "\x1b[33m", "\x1b[34m"
_SEVERITY = {"error": _RED, "warning": _YELLOW, "info": _BLUE}


def excerpt(path: str, finding: Diagnostic, source: Source, paint: _Painter) -> str:
    """A finding over several lines; ``paint`` colours a text, or leaves it."""
    span, how = finding.span, _SEVERITY[finding.severity.value]
    rule = paint(f"{finding.severity.value} {finding.code} {finding.name}", how)
    place = f"{path}:{span.line}:{span.column}"
    lines = [f"{place}: {rule}: {printable(finding.message)}"]
    if 1 <= span.line <= len(source):
        number = str(span.line)
        margin = " " * len(number)
        before, marked, after = _around(source, finding)
        caret = " " * width(before) + paint("^" * max(1, width(marked)), how)
        bar = paint("|", _BLUE)
        lines += [
            f"{margin} {bar}",
            f"{paint(number, _BLUE)} {bar} {before}{marked}{after}",
            f"{margin} {bar} {caret}",
        ]
    else:
        margin = " "
    lines.append(f"{margin} = help: {printable(finding.help)}")
    if finding.fix:
        safety = "safe" if finding.fix.safe else "unsafe"
        lines.append(f"{margin} = fix ({safety}): {printable(finding.fix.title)}")
    return "\n".join(lines)


def _around(source: Source, finding: Diagnostic) -> tuple[str, str, str]:
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
