"""What changed between two capsules, told by threads rather than by lines.

Entries are paired by their identity key (§7.1). Two capsules have no changes
iff they are equal (D21).
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, TypedDict

from pcsf_lark.passes.identity import identity, label
from pcsf_lark.spec import LAYERS
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pcsf_lark.model import Capsule, Entry

    _Pair = tuple[int, int]

__all__ = ["Change", "diff"]

#: One change of an entry or a field.
#:
#: ``kind`` is ``added``, ``removed``, ``changed`` or ``moved``; ``layer`` is ``L1`` to
#: ``L5``, ``VERSION``, ``META``, ``CHAIN``, ``INTEGRITY`` or ``SEED``; ``key`` the entry's
#: identity key, or the field's name; ``old`` and ``new`` are the entry's line, or the
#: field's text; ``from`` and ``to`` the entry's places in its layer, counted from 0. What
#: does not apply is None. (``from`` is no name in Python, hence the call.)
Change = TypedDict(
    "Change",
    {
        "kind": str,
        "layer": str,
        "key": str,
        "old": str | None,
        "new": str | None,
        "from": int | None,
        "to": int | None,
    },
)


def diff(a: Capsule, b: Capsule) -> list[Change]:
    """What turns ``a`` into ``b``, in the order of the file."""
    return [*_header(a, b), *_layers(a, b), *_field("SEED", "text", a.seed.text, b.seed.text)]


def _header(a: Capsule, b: Capsule) -> Iterator[Change]:
    yield from _field("VERSION", "version", a.version, b.version)
    for name in a.meta.FIELDS:
        yield from _field("META", name, getattr(a.meta, name), getattr(b.meta, name))
    old, new = a.chain, b.chain
    hops = [canonical_integer(chain.hops) if chain else None for chain in (old, new)]
    yield from _field("CHAIN", "hops", *hops)
    origins = [chain.origin if chain else None for chain in (old, new)]
    yield from _field("CHAIN", "origin", *origins)
    # The values follow from the text: only whether it is stamped is a difference.
    if bool(a.integrity) != bool(b.integrity):
        stamps = [c.integrity.line if c.integrity else None for c in (a, b)]
        yield from _field("INTEGRITY", "stamp", *stamps)


def _field(layer: str, key: str, old: str | None, new: str | None) -> Iterator[Change]:
    if old != new:
        kind = "added" if old is None else "removed" if new is None else "changed"
        yield _change(kind, layer, key, (old, new), (None, None))


def _layers(a: Capsule, b: Capsule) -> Iterator[Change]:
    for layer in LAYERS:
        old, new = getattr(a, layer.attribute), getattr(b, layer.attribute)
        pairs = _pairs(layer.key, old, new)
        stays = _in_order(pairs)
        of_old = dict(pairs)
        for at, entry in enumerate(old):
            key = label(layer.key, entry)
            to = of_old.get(at)
            if to is None:
                yield _change("removed", layer.key, key, (entry.line, None), (at, None))
                continue
            lines = entry.line, new[to].line
            if lines[0] != lines[1]:
                yield _change("changed", layer.key, key, lines, (at, to))
            if (at, to) not in stays:
                yield _change("moved", layer.key, key, lines, (at, to))
        for to in sorted(set(range(len(new))) - set(of_old.values())):
            key = label(layer.key, new[to])
            yield _change("added", layer.key, key, (None, new[to].line), (None, to))


def _pairs(layer: str, old: Sequence[Entry], new: Sequence[Entry]) -> list[_Pair]:
    """Which entry became which: equal ones first, then those of one key, in order."""
    left, right = dict(enumerate(old)), dict(enumerate(new))
    pairs: list[_Pair] = []
    key_of = identity(layer)
    for same in (lambda entry: entry.line, key_of):
        places: dict[object, list[int]] = {}
        for to in reversed(right):
            places.setdefault(same(right[to]), []).append(to)
        for at, entry in list(left.items()):
            if waiting := places.get(same(entry)):
                pairs.append((at, waiting.pop()))
                del left[at], right[pairs[-1][1]]
    return sorted(pairs)


def _in_order(pairs: Iterable[_Pair]) -> set[_Pair]:
    """The longest run of pairs that kept their order; the others moved."""
    tails: list[int] = []
    runs: list[tuple[_Pair, ...]] = []
    for pair in pairs:
        at = bisect_left(tails, pair[1])
        run = (*(runs[at - 1] if at else ()), pair)
        tails[at : at + 1] = [pair[1]]
        runs[at : at + 1] = [run]
    return set(runs[-1]) if runs else set()


def _change(
    kind: str,
    layer: str,
    key: str,
    texts: tuple[str | None, str | None],
    places: tuple[int | None, int | None],
) -> Change:
    return {
        "kind": kind,
        "layer": layer,
        "key": key,
        "old": texts[0],
        "new": texts[1],
        "from": places[0],
        "to": places[1],
    }
