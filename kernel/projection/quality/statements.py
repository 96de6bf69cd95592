"""The statements of a summary: what must hold a fact together.

    statement   a paragraph, a list item with its continuation, a table row or a heading
    heading     lends its words to the markers of the statements below it

Laws: every line that is not blank belongs to one statement; a statement that begins with
a label and a colon quotes what comes after it, and claims nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from kernel.projection.quality.wording import markers_of

__all__ = ["LABELS", "Statement", "statements_of"]

#: A statement that begins with one of these and a colon quotes what comes after it.
LABELS: Final = (
    "goal", "constraint", "decision", "rejection", "uncertainty", "changed", "deleted", "file", "symbol", "command",
    "failed", "failure", "check", "open", "ref", "note",
)  # fmt: skip
_LABEL: Final = re.compile(rf"(?:{'|'.join(LABELS)})(?: \([^()\n]*\))?: ")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_HEADING: Final = re.compile(
    r"[ \t]*#{1,6}[ \t]+(?P<a>.+)|\*\*(?P<b>[^*]+)\*\*:?[ \t]*|(?P<c>[^\n.!?]{1,60}):[ \t]*"
)


@frozen
class Statement:
    """A statement of a summary, its heading, and whether it is a labelled quotation."""

    text: str
    heading: str
    labelled: bool
    markers: frozenset[str]


def statements_of(summary: str) -> list[Statement]:
    """Split a normalised summary into its statements."""
    return list(_statements(summary))


def _statements(summary: str) -> Iterator[Statement]:
    heading, lines = "", list[str]()
    for line in summary.split("\n"):
        found = _HEADING.fullmatch(line) if line.strip() else None
        if (
            not line.strip()
            or found is not None
            or _ITEM.match(line)
            or line.lstrip().startswith("|")
        ):
            if lines:
                yield _statement(lines, heading)
            lines = []
        if found is not None:
            heading = next(part for part in found.groups() if part is not None)
            yield _statement([line], "")
        elif line.strip():
            lines.append(line)
    if lines:
        yield _statement(lines, heading)


def _statement(lines: Sequence[str], heading: str) -> Statement:
    text = "\n".join(lines)
    item = _ITEM.match(text)
    body = text[item.end() :] if item else text
    return Statement(
        text, heading, _LABEL.match(body) is not None, markers_of(f"{heading}\n{text}")
    )
