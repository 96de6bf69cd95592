"""ABNF text as rule lines: where each rule begins and ends, and where its brackets stand.

Laws: a rule begins on a line indented as the least indented line of the text
(RFC 5234 §2.2 asks for uniform indentation), and goes on over all lines
indented more. Lines end with LF or CRLF; the last one may lack its end.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from attrs import field, frozen

from pcsf_lark.abnf.nodes import Position

__all__ = ["BRACKETS", "Layout", "RuleLines", "outside"]

# What hides brackets and semicolons: strings, prose and comments.
_HIDDEN = re.compile(r'"[^"\n]*"|<[^>\n]*>|;[^\n]*|[()\[\]]')
BRACKETS = {"(": ")", "[": "]"}


@frozen
class RuleLines:
    """The lines of one rule: offsets of its text, and the comments on them."""

    start: int
    end: int
    comments: tuple[str, ...]


@frozen
class Layout:
    """A text with its line starts, to turn offsets into positions."""

    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False)

    @_starts.default
    def _find_starts(self) -> tuple[int, ...]:
        return (0, *(found.end() for found in re.finditer("\n", self.text)))

    def at(self, offset: int) -> Position:
        """Return the position of this offset."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1, offset)

    def rules(self) -> tuple[RuleLines, ...]:
        """Return the lines of each rule, in order."""
        lines = [_Line.of(self.text, start) for start in self._starts]
        full = [line for line in lines if line.start < line.end]
        if not full:
            return ()
        margin = min(line.indent for line in full)
        begins = [number for number, line in enumerate(lines) if line.begins(margin)]
        bounds = zip(begins, [*begins[1:], len(lines)], strict=True)
        return tuple(_rule_lines(lines[first:last], margin) for first, last in bounds)


@frozen
class _Line:
    """One line: offsets of its content without indentation and comment."""

    start: int
    end: int
    indent: int
    comment: str | None

    @classmethod
    def of(cls, text: str, begin: int) -> "_Line":
        stop = text.find("\n", begin)
        line = text[begin : len(text) if stop < 0 else stop]
        comment = next((found for found in outside(line) if found[1] == ";"), None)
        content = line if comment is None else line[: comment[0]]
        indent = len(line) - len(line.lstrip(" \t"))
        note = None if comment is None else line[comment[0] + 1 :].strip()
        return cls(begin + indent, begin + len(content.rstrip(" \t\r")), indent, note)

    def begins(self, margin: int) -> bool:
        return self.start < self.end and self.indent == margin


def _rule_lines(lines: list[_Line], margin: int) -> RuleLines:
    end = max(line.end for line in lines if line.start < line.end)
    comments = [
        line.comment
        for line in lines
        if line.comment and (line.start < line.end or line.indent > margin)
    ]
    return RuleLines(lines[0].start, end, tuple(comments))


def outside(text: str) -> Iterator[tuple[int, str]]:
    """Yield offset and mark of each bracket and each comment's `;`, outside strings and prose."""
    for found in _HIDDEN.finditer(text):
        if found.group()[0] in "()[];":
            yield found.start(), found.group()[0]
