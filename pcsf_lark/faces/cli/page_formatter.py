"""How a page of help is set: typer's own layout, in which no word is cut.

Laws: a line breaks between words alone, so that an option, a path or a name can be copied;
a word longer than the line stands over it.
"""

from __future__ import annotations

import re
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Formatter"]

#: typer has no public name for it.
_Formatter: Any = typer.Context.formatter_class
#: Narrower than this nothing can be read.
_NARROWEST = 20
#: Columns of a term beside which its text still begins, at most.
_TERM = 30
#: As `[default: human]`; and a blank at which no line breaks.
_NOTE, _GLUE = re.compile(r"\[[^][]*\]$"), "\xa0"
#: Columns of text that are worth a line of its own.
_LEAST = 10


class Formatter(_Formatter):  # type: ignore[misc] # which is Any
    """A page under way; ``room`` is how wide the terminal is, where that is known."""

    def __init__(self, widest: int, room: int | None) -> None:
        super().__init__(max_width=widest)
        self.width: int = self.width
        self._term = _TERM
        # typer's own is never below fifty columns.
        if room is not None and room < self.width:
            self.width = max(room, _NARROWEST)
            self._term = self.width // 3

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The usage line, folded under its arguments."""
        head = f"{prefix or 'Usage: '}{prog} "
        hang = len(head)
        if self.width < hang + _NARROWEST:
            self.write(f"{head.rstrip()}\n")
            head = " " * (hang := len("Usage: ") + 4)
        self.write(f"{_filled(args, self.width, head, ' ' * hang)}\n")

    def write_text(self, text: str) -> None:
        """Paragraphs, indented as it is here."""
        indent = " " * self.current_indent
        self.write(f"{_filled(text, self.width, indent, indent)}\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], *_: Any, **__: Any) -> None:
        """Terms, and beside each its text: below it where the term is long."""
        rows = list(rows)
        column = min(max(len(term) for term, _ in rows), self._term) + 2
        indent = " " * self.current_indent
        for term, text in rows:
            lines = _filled(text, max(self.width - column - 2, _LEAST)).split("\n")
            first = f"{indent}{term:{column}}"
            if len(term) > column - 2:
                self.write(f"{indent}{term}\n")
                first = f"{indent}{'':{column}}"
            self.write(f"{first}{lines[0]}".rstrip() + "\n")
            for line in lines[1:]:
                self.write(f"{indent}{'':{column}}{line}".rstrip() + "\n")


def _filled(text: str, width: int, first: str = "", rest: str = "") -> str:
    """Paragraphs, folded between words; what typer tells in brackets at the end is one."""
    wrapper = TextWrapper(
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    parts = (re.sub(r"\s*\n\s*", " ", part.strip()) for part in re.split(r"\n\s*\n", text))
    glued = (_NOTE.sub(lambda found: found[0].replace(" ", _GLUE), part) for part in parts)
    return "\n\n".join(map(wrapper.fill, glued)).replace(_GLUE, " ")
