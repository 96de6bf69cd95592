"""Text as manual pages hold it: the man(7) macros, and nothing that a reader would take for one.

Laws: every printable text comes out of a formatter as it went in, but for runs of blanks
where text is filled; a hyphen of a command or an option stays one that can be copied. The
output is ASCII.
"""

from __future__ import annotations

import re

__all__ = ["bold", "definition", "escape", "heading", "prose", "title", "verbatim"]

#: What the formatter would read as its own, or set in type of its own.
_SPECIAL = {
    "\\": "\\e", "-": "\\-", "'": "\\(aq", '"': "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
}  # fmt: skip
_CODE = re.compile(r"`([^`\n]+)`")


def escape(text: str) -> str:
    """A text within a line, none of it obeyed."""
    return "".join(_SPECIAL.get(c) or (c if c.isascii() else f"\\[u{ord(c):04X}]") for c in text)


def _line(text: str) -> str:
    """An escaped text as a line of its own; one that begins as a request would is no request."""
    return f"\\&{text}" if text.startswith(".") else text


def bold(text: str) -> str:
    """A text to be typed as it stands."""
    return f"\\fB{escape(text)}\\fP"


def _inline(text: str) -> str:
    """Prose in which `code` is bold."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(bold(part) if odd else escape(part) for odd, part in _alternating(parts))


def _alternating(parts: list[str]) -> list[tuple[int, str]]:
    return [(number % 2, part) for number, part in enumerate(parts)]


def prose(text: str) -> str:
    """Paragraphs, filled."""
    paragraphs = [_inline(part) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
    return "\n.PP\n".join(_line(part) for part in paragraphs)


def verbatim(text: str) -> str:
    """Lines as they stand, indented."""
    lines = [_line(escape(line.rstrip())) or "\\&" for line in text.split("\n")]
    return "\n".join([".RS 4", ".nf", *lines, ".fi", ".RE"])


def heading(text: str, *, below: bool = False) -> str:
    """The head of a section, or of one below it."""
    return f".{'SS' if below else 'SH'} {escape(text)}"


def definition(term: str, text: str) -> str:
    """A term, ready as it is, and what it means."""
    return f".TP\n{_line(term)}\n{prose(text) or chr(92) + '&'}"


def title(name: str, date: str, source: str) -> str:
    """The first line of a page of section 1."""
    return f'.TH "{escape(name.upper())}" 1 "{date}" "{escape(source)}" "User Commands"'
