"""Rules: what of a sentence of a source must not come back turned round.

    rules_of("Never delete the database, and retry at most 3 times.")     forbid, bound

Laws: a rule of each clause that forbids, obliges, limits or bounds, none of the others; a
clause that denies a denial obliges; a number's bound is the one beside it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.quality.clauses import Clause, clauses_of, heads_behind
from kernel.projection.quality.tokens import Token
from kernel.projection.quality.verbs import CLASSES

__all__ = ["Rule", "bounds_beside", "rules_of"]

_BOUNDS: Final = frozenset(("max", "min", "exact"))


@frozen
class Rule:
    """One rule of a sentence: its sort, its verbs, what it is about, and its number."""

    sort: Literal["forbid", "oblige", "only", "bound"]
    heads: tuple[str, ...] = field(default=(), converter=as_tuple)
    words: tuple[str, ...] = field(default=(), converter=as_tuple)
    names: tuple[str, ...] = field(default=(), converter=as_tuple)
    number: str = ""
    bound: str = ""


@lru_cache(maxsize=2048)
def rules_of(sentence: str) -> tuple[Rule, ...]:
    """Return the rules a sentence of a source gives; () where it gives none that is clear."""
    found = (_rule(clause) for clause in clauses_of(sentence))
    return tuple(rule for rule in found if rule is not None)


def _rule(clause: Clause) -> Rule | None:
    bounded = _bound(clause)
    if bounded is not None:
        return _about(clause, "bound", (), *bounded)
    kinds = [token.kind for token in clause]
    if "neg" in kinds or "wide" in kinds:
        denies = sum(kind in ("neg", "wide", "anti") for kind in kinds)
        first = next(at for at, kind in enumerate(kinds) if kind in ("neg", "wide"))
        heads = tuple(heads_behind(clause, first)) or tuple(_verbs(clause))
        turned = "anti" in kinds or (denies % 2 == 0 and _adjacent(kinds, first))
        return _about(clause, "oblige" if turned else "forbid", heads)
    if "only" in kinds:
        return _about(clause, "only", tuple(heads_behind(clause, kinds.index("only"))))
    if "must" in kinds:
        return _about(clause, "oblige", tuple(heads_behind(clause, kinds.index("must"))))
    return None


def _adjacent(kinds: list[str], first: int) -> bool:
    """Tell whether two denials stand in a row, so that they are none."""
    rest = [kind for kind in kinds[first + 1 :] if kind != "fill"]
    return bool(rest) and rest[0] in ("neg", "wide", "anti")


def _verbs(clause: Clause) -> Iterator[str]:
    for token in clause:
        if token.kind == "word" and any(token.text in words for words in CLASSES):
            yield token.text


def _about(
    clause: Clause,
    sort: Literal["forbid", "oblige", "only", "bound"],
    heads: tuple[str, ...],
    number: str = "",
    bound: str = "",
) -> Rule | None:
    words = [t.text for t in clause if t.kind == "word" and t.text not in heads]
    names = [t.text for t in clause if t.kind == "name" and t.text not in heads]
    names += [head for head in heads if any(t == Token("name", head) for t in clause)]
    if sort != "bound":
        names += [t.text for t in clause if t.kind == "number"]
    heads = tuple(head for head in heads if head not in names)
    if not (heads or words or names or number):
        return None
    return Rule(sort, heads, dict.fromkeys(words), dict.fromkeys(names), number, bound)


def _bound(clause: Clause) -> tuple[str, str] | None:
    """Return the first number with a bound of its own, and the bound."""
    for at, token in enumerate(clause):
        if token.kind == "number":
            near = bounds_beside(clause, at)
            if near:
                return token.text, next(iter(near)) if len(near) == 1 else "exact"
    return None


def bounds_beside(clause: Clause, at: int) -> set[str]:
    """Return the bounds between a number and the numbers beside it; `only` counts as exact."""
    found: set[str] = set()
    for step in (-1, 1):
        place, left = at + step, 5 if step < 0 else 3
        while 0 <= place < len(clause) and left and clause[place].kind != "number":
            kind = clause[place].kind
            if kind in _BOUNDS:
                found.add(kind)
            elif kind == "only" and place == at - 1:
                found.add("exact")
            place += step
            left -= 1
    return found
