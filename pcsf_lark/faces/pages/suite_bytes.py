"""Bytes made such that each of them can be seen: what a case gives and a command prints.

Laws: spans joined, with escapes read back, are the bytes that are shown. A page draws
spaces and line ends by its style sheet, so that what is copied from it is the text.
"""

from __future__ import annotations

import re

from attrs import frozen

from pcsf_lark.wording import counted

__all__ = ["Block", "Line", "Span", "block"]

_PARTS = re.compile(r"(?P<space> )|(?P<end>\n)|(?P<text>[!-~]+)|(?P<escape>[^ -~\n]+)")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NAMED = {"\t": r"\t", "\r": r"\r"}


@frozen
class Span:
    """A run of one kind: ``text``, a ``space``, a line ``end``, or ``escape`` for other bytes."""

    kind: str
    text: str


@frozen
class Line:
    """The spans of a line, its end with them; ``marked`` where a fault may be told of it."""

    spans: tuple[Span, ...]
    marked: bool = False


@frozen
class Block:
    """Lines under a title; ``left`` says what is not shown, if anything, and where it stood."""

    title: str
    lines: tuple[Line, ...]
    left: str = ""

    @property
    def plain(self) -> str:
        """The block as one text, with escapes."""
        return "".join(span.text for line in self.lines for span in line.spans)


def block(
    title: str,
    data: bytes,
    room: int,
    *,
    size: int = 0,
    marked: tuple[int, int] | None = None,
    words: bool = False,
) -> Block:
    """Bytes as a block that shows at most ``room`` of them.

    ``size`` is how many there are where ``data`` is a part of them, ``marked`` the first
    and the last line to mark. ``words`` are a program's own: the last ones count, and
    letters of any script stay as they are.
    """
    shown = data[-room:] if words else data[:room]
    missing = max(size, len(data)) - len(shown)
    place = "before" if words else "after"
    left = f"{counted(missing, 'byte')} more {place} these" if missing else ""
    text = shown.decode("utf-8", "surrogateescape") if words else shown.decode("latin-1")
    first, last = marked or (0, -1)
    lines = (
        Line(
            tuple(_span(part, words=words) for part in _PARTS.finditer(line)),
            first <= number <= last,
        )
        for number, line in enumerate(_LINE.findall(text), start=1)
    )
    return Block(title, tuple(lines), left)


def _span(part: re.Match[str], *, words: bool) -> Span:
    kind, text = str(part.lastgroup), part[0]
    if kind != "escape" or (words and text.isprintable()):
        return Span("text" if kind == "escape" else kind, text)
    keep = str.isprintable if words else str.isascii
    return Span(kind, "".join(c if c.isprintable() and keep(c) else _escaped(c) for c in text))


def _escaped(char: str) -> str:
    point = ord(char)
    if 0xDC80 <= point < 0xDD00:  # a byte that is no UTF-8
        point -= 0xDC00
    return _NAMED.get(char) or (f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}")
