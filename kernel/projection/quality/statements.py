"""The statements of a summary: what must hold a fact together.

    statement   a paragraph, a list item with its continuation, a table row or a heading
    heading     lends its words to the markers of the statements below it

Laws: every line with a letter or a digit belongs to one statement; a statement that begins with
a label and a colon quotes what comes after it, and claims nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from kernel.projection.quality.settling import settled
from kernel.projection.quality.wording import markers_of

__all__ = ["LABELS", "Statement", "statements_of"]

#: A statement that begins with one of these and a colon quotes what comes after it.
LABELS: Final = (
    "goal", "constraint", "decision", "rejection", "uncertainty", "changed", "deleted", "file", "symbol", "command",
    "failed", "failure", "check", "open", "ref", "note",
)  # fmt: skip
_LABEL: Final = re.compile(rf"(?P<label>{'|'.join(LABELS)})(?: \([^()\n]*\))?: ")
_SETTLED: Final = frozenset(("fail", "open"))
_TEXT: Final = re.compile(r"\w")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_HEADING: Final = re.compile(
    r"[ \t]*#{1,6}[ \t]+(?P<a>.+)|\*\*(?P<b>[^*]+)\*\*:?[ \t]*|(?P<c>[^\n.!?]{1,60}):[ \t]*"
)


@frozen
class Statement:
    """A statement of a summary, its heading, and its label and what that quotes, if any."""

    text: str
    heading: str
    markers: frozenset[str]
    label: str = ""
    quote: str = ""

    @property
    def labelled(self) -> bool:
        """Tell whether the statement is a labelled quotation."""
        return bool(self.label)


def statements_of(summary: str) -> list[Statement]:
    """Split a normalised summary into its statements, each once."""
    return list(dict.fromkeys(_statements(summary)))


def _statements(summary: str) -> Iterator[Statement]:
    heading, lines = "", list[str]()
    for line in summary.split("\n"):
        blank = _TEXT.search(line) is None
        found = None if blank else _HEADING.fullmatch(line)
        if blank or found is not None or _ITEM.match(line) or line.lstrip().startswith("|"):
            if lines:
                yield _statement(lines, heading)
            lines = []
        if found is not None:
            heading = next(part for part in found.groups() if part is not None)
            yield _statement([line], "")
        elif not blank:
            lines.append(line)
    if lines:
        yield _statement(lines, heading)


def _statement(lines: Sequence[str], heading: str) -> Statement:
    text = "\n".join(lines)
    item = _ITEM.match(text)
    body = text[item.end() :] if item else text
    label = _LABEL.match(body)
    quote = "" if label is None else " ".join(body[label.end() :].split())
    markers = _markers(f"{heading}\n{text}")
    return Statement(text, heading, markers, "" if label is None else label["label"], quote)


def _markers(text: str) -> frozenset[str]:
    """Return the markers of a text; what is denied to fail or to be open does neither."""
    found, plain = markers_of(text), settled(text)
    if plain is text:
        return found
    return (found - _SETTLED) | (markers_of(plain) & _SETTLED)
