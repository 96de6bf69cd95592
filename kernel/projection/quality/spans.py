"""Text as the gate reads it, and places in it.

Laws: normalising is Unicode NFC and CRLF or CR → LF, nothing else (no trimming, no
collapsing, no case folding), and is idempotent; an offset counts UTF-16 code units of the
normalised text, a span is half-open; text that no UTF-16 reader could hold (a lone
surrogate) has no normal form.
"""

import unicodedata
from bisect import bisect_left

from attrs import frozen

__all__ = ["Malformed", "Ruler", "Span", "normalise", "slice_of"]


class Malformed(ValueError):  # noqa: N818 - names the state of the text, as the verdict does
    """A text with a lone surrogate."""


@frozen
class Span:
    """A half-open range of UTF-16 code units of a normalised text."""

    start: int
    end: int


def normalise(text: str) -> str:
    """Return the normal form; raises Malformed where there is none."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Malformed(f"a lone surrogate at code point {error.start}") from error
    return unicodedata.normalize("NFC", text)


class Ruler:
    """Turns code point indices of one normalised text into UTF-16 offsets.

    Costs one pass at first use, then a look-up for each offset.
    """

    __slots__ = ("_wide",)

    def __init__(self, text: str) -> None:
        """Measure a text."""
        narrow = text.isascii() or max(text) <= "\uffff"
        self._wide: list[int] = (
            [] if narrow else [at for at, char in enumerate(text) if char > "\uffff"]
        )

    def span(self, start: int, end: int) -> Span:
        """Return the span of a half-open range of code points."""
        if not self._wide:
            return Span(start, end)
        return Span(start + bisect_left(self._wide, start), end + bisect_left(self._wide, end))


def slice_of(text: str, span: Span) -> str:
    """Return the part of a normalised text that a span names."""
    raw = text.encode("utf-16-le")
    return raw[2 * span.start : 2 * span.end].decode("utf-16-le")
