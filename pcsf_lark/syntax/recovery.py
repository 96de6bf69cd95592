"""Any text at all to an ``Outline``: each line taken for what it was meant to be.

The recovery parser of a capsule: it never fails and never judges: it walks
the lines once, takes each for what it most resembles at its place, and leaves
the verdict to the rules. A line with an illegal byte is taken for what it
would be without it, so that one fault does not hide the structure (D14).
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from pcsf_lark.outline import Boundary, Kind, Outline
from pcsf_lark.spec import CLOSE, LAYERS, VERSIONS
from pcsf_lark.syntax.entry import belongs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pcsf_lark.source import Source

    _Test = Callable[[str], re.Match[str] | None]

__all__ = ["recover"]


def _like(pattern: str) -> _Test:
    return re.compile(pattern, re.IGNORECASE | re.ASCII).match


_OPEN = _like(r" *=== ?PCSF ?:.*=== *\Z")
_CLOSE = _like(r" *=== ?END ?=== *\Z")
_LAYER = _like(r" *L([1-5]) ?[:.-]? ?([A-Z]+) ?[:|]? *\Z")
_WORDS = tuple(layer.word for layer in LAYERS)
_FRAME_TOKENS = frozenset(f"===PCSF:{version}===" for version in VERSIONS)
_SEED = _like(r" *SEED *:")
_META = _like(r" *META *:")
_HEADER_LINES = (
    (Kind.META, _META),
    (Kind.CHAIN, _like(r" *CHAIN *:")),
    (Kind.INTEGRITY, _like(r" *INTEGRITY *:")),
)
_ILLEGAL = re.compile(r"[^ -~]+")


def _layer_number(text: str) -> int:
    """The number of the layer whose header a line is, exact or misspelt; 0: it is none.

    ``L2: English`` is none: nothing but its number is that of a header.
    """
    match = _LAYER(text)
    if match is None:
        return 0
    number, word = int(match.group(1)), match.group(2).upper()
    alike = word in _WORDS or word[:3] == _WORDS[number - 1][:3]
    return number if alike or difflib.get_close_matches(word, _WORDS, 1) else 0


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
        opening = self._find_best(_OPEN, _FRAME_TOKENS, 0)
        begin = 0 if opening is None else opening + 1
        closing = self._find_best(_CLOSE, {CLOSE}, begin)
        end = self.count if closing is None else closing
        if opening is not None:
            self.kinds[opening] = Kind.OPEN
        else:
            begin = self._first_familiar(end)
        if closing is not None:
            self.kinds[closing] = Kind.CLOSE
        return begin, end

    def _find_best(self, test: _Test, exact: Collection[str], begin: int) -> int | None:
        """The first line that is one of ``exact``, else the first that looks like one."""
        alike = self._find(test, begin, self.count)
        if alike is None:
            return None
        rest = range(alike, self.count)
        return next((i for i in rest if self._text(i) in exact), alike)

    def _first_familiar(self, end: int) -> int:
        tests = [*(test for _, test in _HEADER_LINES), _layer_number, _SEED]
        found = (i for i in range(end) if any(test(self._text(i)) for test in tests))
        return next(found, end)

    def _find_headers(self, begin: int, end: int) -> list[tuple[int, int]]:
        found = ((i, _layer_number(self._text(i))) for i in range(begin, end))
        return [(i, number) for i, number in found if number]

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
        meta = self._find(_META, begin, end)
        start = begin if meta is None else meta
        blanks = [i for i in range(start, end) if not self._text(i)] or [end]
        closing = blanks[-1] if in_place else blanks[0]
        met: set[Kind] = set()
        for i in range(begin, end):
            text = self._text(i)
            kind = next((k for k, test in _HEADER_LINES if test(text)), Kind.STRAY)
            if i == closing:
                kind = Kind.BLANK
            elif i > closing and not in_place:
                kind = Kind.MUTE
            elif not text:
                kind = Kind.EXTRA
            elif (kind is Kind.META and kind in met) or (i > closing and kind not in met):
                kind = Kind.STRAY
            met.add(kind)
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
