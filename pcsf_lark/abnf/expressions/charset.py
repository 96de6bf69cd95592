"""Sets of code points as sorted ranges.

Laws: the ranges of a set are sorted, disjoint and never touch, so equal sets
are equal values. `END` stands for the end of the text in analyses; it is no
code point and occurs in no grammar.
"""

from collections.abc import Iterable, Iterator

from attrs import field, frozen

__all__ = ["EMPTY_SET", "END", "MAX_CODE_POINT", "CharSet"]

END = -1
MAX_CODE_POINT = 0x10FFFF

_Range = tuple[int, int]


def _normal(ranges: Iterable[_Range]) -> tuple[_Range, ...]:
    """Sort the ranges and join those that overlap or touch."""
    joined: list[_Range] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1 and joined[-1][0] != END:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        elif not joined or (first, last) != joined[-1]:
            joined.append((first, last))
    return tuple(joined)


@frozen(cache_hash=True)
class CharSet:
    """A set of code points: inclusive ranges, sorted and disjoint."""

    ranges: tuple[_Range, ...] = field(converter=_normal)

    @classmethod
    def of(cls, *points: int) -> "CharSet":
        """Return the set of these code points."""
        return cls((point, point) for point in points)

    @classmethod
    def span(cls, first: int, last: int) -> "CharSet":
        """Return the set of all code points from first to last, inclusive."""
        return cls(((first, last),))

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.ranges)

    def __iter__(self) -> Iterator[int]:
        for first, last in self.ranges:
            yield from range(first, last + 1)

    def __contains__(self, point: int) -> bool:
        return any(first <= point <= last for first, last in self.ranges)

    def __or__(self, other: "CharSet") -> "CharSet":
        # Fixed points ask this most often where nothing is new.
        if not other.ranges or self.ranges == other.ranges:
            return self
        return CharSet(self.ranges + other.ranges) if self.ranges else other

    def __and__(self, other: "CharSet") -> "CharSet":
        found: list[_Range] = []
        mine, theirs = iter(self.ranges), iter(other.ranges)
        a, b = next(mine, None), next(theirs, None)
        while a and b:
            if max(a[0], b[0]) <= min(a[1], b[1]):
                found.append((max(a[0], b[0]), min(a[1], b[1])))
            if a[1] < b[1]:
                a = next(mine, None)
            else:
                b = next(theirs, None)
        return CharSet(found)

    def __sub__(self, other: "CharSet") -> "CharSet":
        gaps: list[_Range] = []
        start = END
        for first, last in other.ranges:
            gaps.append((start, first - 1))
            start = last + 1
        gaps.append((start, MAX_CODE_POINT))
        # Gaps are cut at END so that it never melts into the code points.
        cut = [(END, END)] if gaps[0][0] == END <= gaps[0][1] else []
        return self & CharSet([*cut, *((max(a, 0), b) for a, b in gaps if a <= b and b >= 0)])

    def first(self) -> int:
        """Return the smallest member; misuse on an empty set."""
        return self.ranges[0][0]


EMPTY_SET = CharSet(())
