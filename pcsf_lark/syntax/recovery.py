"""Any text at all to an ``Outline``: each line taken for what it was meant to be.

The recovery parser of a capsule: it never fails and never judges: it walks
the lines once, takes each for what it most resembles at its place, and leaves
the verdict to the rules. A line with an illegal byte is taken for what it
would be without it, so that one fault does not hide the structure (D14).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.outline import Boundary, Kind, Outline
from pcsf_lark.spec import LAYERS
from pcsf_lark.syntax.entry import belongs

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.source import Source

    _Test = Callable[[str], re.Match[str] | None]

__all__ = ["recover"]


def _like(pattern: str) -> _Test:
    return re.compile(pattern, re.IGNORECASE | re.ASCII).match


_OPEN = _like(r" *=== ?PCSF ?:.*=== *\Z")
_CLOSE = _like(r" *=== ?END ?=== *\Z")
_LAYER = _like(
    rf" *L([1-5])(?: ?[:.-] ?[A-Z]*| (?:{'|'.join(layer.word for layer in LAYERS)})|) ?:? *\Z"
)
_SEED = _like(r" *SEED *:")
_HEADER_LINES = (
    (Kind.META, _like(r" *META *:")),
    (Kind.CHAIN, _like(r" *CHAIN *:")),
    (Kind.INTEGRITY, _like(r" *INTEGRITY *:")),
)
_ILLEGAL = re.compile(r"[^ -~]+")


def recover(source: Source) -> Outline:
    """Outline any text; total, linear in its length."""
    return _Walk(source).outline()


class _Walk:
    """One pass over the lines; ``kinds`` and ``layers`` fill up as it goes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.count = len(source)
        self.kinds = bytearray(self.count)
        self.layers = bytearray(self.count)
        self.boundaries: list[Boundary] = []

    def outline(self) -> Outline:
        begin, end = self._frame()
        headers = self._find_headers(begin, end)
        seed = self._find_seed(headers, begin, end)
        stop = end if seed is None else seed
        self._header(begin, headers[0][0] if headers else stop, in_place=self._starts_well(headers))
        before = 0
        for (index, number), after in zip(headers, [*headers, None][1:], strict=True):
            until = after[0] if after else stop
            in_place = number == before + 1
            leads_on = after is None or after[1] == number + 1
            self.kinds[index] = Kind.HEADER if in_place else Kind.MISPLACED
            self.layers[index] = number
            self._layer(index + 1, until, number if in_place else 0, leads_on=leads_on)
            if in_place and leads_on and (after or (seed is not None and number == len(LAYERS))):
                blank = Kind.BLANK in self.kinds[index + 1 : until]
                self.boundaries.append(Boundary(until, blank))
            before = number
        if seed is not None:
            self._tail(seed, end)
        kinds, layers = bytes(self.kinds), bytes(self.layers)
        return Outline(self.source, kinds, layers, tuple(self.boundaries))

    def _text(self, index: int) -> str:
        text = self.source.line(index)
        return _ILLEGAL.sub("", text).rstrip(" ") if self.source.dirty[index] else text

    def _find(self, test: _Test, begin: int, end: int) -> int | None:
        return next((i for i in range(begin, end) if test(self._text(i))), None)

    def _frame(self) -> tuple[int, int]:
        """The lines between the frame lines; what is beyond them stays OUTSIDE."""
        opening = self._find(_OPEN, 0, self.count)
        begin = 0 if opening is None else opening + 1
        closing = self._find(_CLOSE, begin, self.count)
        end = self.count if closing is None else closing
        if opening is not None:
            self.kinds[opening] = Kind.OPEN
        else:
            begin = self._first_familiar(end)
        if closing is not None:
            self.kinds[closing] = Kind.CLOSE
        return begin, end

    def _first_familiar(self, end: int) -> int:
        tests = [test for _, test in _HEADER_LINES] + [_LAYER, _SEED]
        found = (i for i in range(end) if any(test(self._text(i)) for test in tests))
        return next(found, end)

    def _find_headers(self, begin: int, end: int) -> list[tuple[int, int]]:
        found = ((i, _LAYER(self._text(i))) for i in range(begin, end))
        return [(i, int(match.group(1))) for i, match in found if match]

    def _find_seed(self, headers: list[tuple[int, int]], begin: int, end: int) -> int | None:
        """SEED is told by its place, after the last layer: an L4 entry may read ``SEED: x``."""
        first = headers[-1][0] + 1 if headers else begin
        if headers and headers[-1][1] == 4:
            return next((i for i in range(end - 1, first - 1, -1) if _SEED(self._text(i))), None)
        return self._find(_SEED, first, end)

    @staticmethod
    def _starts_well(headers: list[tuple[int, int]]) -> bool:
        return not headers or headers[0][1] == 1

    def _header(self, begin: int, end: int, *, in_place: bool) -> None:
        blanks = [i for i in range(begin, end) if not self._text(i)]
        closing = blanks[-1] if blanks else end
        if not in_place and blanks:
            closing = blanks[0]
        met = False
        for i in range(begin, end):
            text = self._text(i)
            kind = next((k for k, test in _HEADER_LINES if test(text)), Kind.STRAY)
            if i == closing:
                kind = Kind.BLANK
            elif i > closing and not in_place:
                kind = Kind.MUTE
            elif not text:
                kind = Kind.EXTRA
            elif i > closing or (kind is Kind.META and met):
                kind = Kind.STRAY
            met = met or kind is Kind.META
            self.kinds[i] = kind

    def _layer(self, begin: int, end: int, number: int, *, leads_on: bool) -> None:
        """The lines under a layer header; ``number`` is 0 where it is out of place."""
        if not number:
            self.kinds[begin:end] = bytes([Kind.MUTE]) * (end - begin)
            return
        blanks = [i for i in range(begin, end) if not self._text(i)]
        closing = end
        if blanks:
            layer = LAYERS[number - 1]
            rest = range(end - 1, blanks[0], -1)
            last = next((i for i in rest if belongs(layer, self._text(i))), blanks[0])
            closing = next((i for i in blanks if i >= last), end)
        for i in range(begin, end):
            blank = not self._text(i)
            if i < closing:
                kind = Kind.GAP if blank else Kind.ENTRY
            elif i == closing:
                kind = Kind.BLANK
            elif not leads_on:
                kind = Kind.MUTE
            else:
                kind = Kind.EXTRA if blank else Kind.STRAY
            self.kinds[i] = kind
            self.layers[i] = number

    def _tail(self, seed: int, end: int) -> None:
        self.kinds[seed] = Kind.SEED
        if end == self.count:
            return
        for i in range(seed + 1, end):
            self.kinds[i] = Kind.STRAY if self._text(i) else Kind.EXTRA
