"""Letter pairs of a query in many texts: the share each text has of them.

Law: `best_shares` leaves out only texts that cannot come among the best, nor have the
largest share of all; what it gives is what `shares_of` gives. Whole columns are counted
at a time, so that the loop over a hundred thousand texts stays out of Python.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from itertools import compress, repeat
from operator import add, contains

__all__ = ["best_shares", "shares_of"]

_SAMPLE = 4096
# Far above the error of a product of two floats.
_SLACK = 1 - 1e-9


def shares_of(
    pairs: Sequence[str], lowered: Sequence[str], places: Sequence[int]
) -> dict[int, float]:
    """Map those of some texts that have any of the pairs to the share they have."""
    if not pairs:
        return {}
    counts = _counts(pairs, [lowered[place] for place in places])
    return {place: count / len(pairs) for place, count in zip(places, counts, strict=True) if count}


def _counts(pairs: Sequence[str], texts: Sequence[str]) -> list[int]:
    counts: Iterable[int] = repeat(0, len(texts))
    for pair in pairs:
        counts = list(map(add, counts, map(contains, texts, repeat(pair))))
    return list(counts)


def best_shares(
    pairs: Sequence[str],
    lowered: Sequence[str],
    roles: Sequence[str],
    weights: Mapping[str, float],
    limit: int,
) -> dict[int, float]:
    """Map the texts that may be among the best `limit`, weighed by role, to their share.

    An even sample tells what the best have at least; a text that can no longer reach
    that is left.
    """
    table = {role: weights.get(role, 1.0) for role in set(roles)}
    everything = range(len(lowered))
    step = len(lowered) // _SAMPLE
    if step < 2 or limit < 1 or not pairs or not all(0 < w < math.inf for w in table.values()):
        return shares_of(pairs, lowered, everything)
    sample = everything[::step]
    texts = [lowered[place] for place in sample]
    rare = sorted(pairs, key=lambda pair: sum(map(contains, texts, repeat(pair))))
    counts = _counts(rare, texts)
    worth = [count * table[roles[place]] for place, count in zip(sample, counts, strict=True)]
    top = nlargest(limit, worth)
    least = top[-1] * _SLACK if len(top) == limit else 0.0
    most = max(counts)
    found: dict[int, float] = {}
    for role, weight in table.items():
        places = [place for place, own in enumerate(roles) if own == role]
        # One count more than any seen changes the scale of all scores.
        needed = max(1, min(math.ceil(least / weight), most))
        found.update(_reaching(needed, rare, lowered, places))
    return found


def _reaching(
    needed: int, pairs: Sequence[str], lowered: Sequence[str], places: Sequence[int]
) -> dict[int, float]:
    """Map the texts with that many pairs or more to their share."""
    texts = [lowered[place] for place in places]
    counts = [0] * len(texts)
    for done, pair in enumerate(pairs, 1):
        counts = list(map(add, counts, map(contains, texts, repeat(pair))))
        short = needed - (len(pairs) - done)
        if short > 0:
            kept = [count >= short for count in counts]
            places, texts = list(compress(places, kept)), list(compress(texts, kept))
            counts = list(compress(counts, kept))
    return {place: count / len(pairs) for place, count in zip(places, counts, strict=True)}
