"""Clauses of a sentence, and what each says of a word: that it is so, or that it is not.

    clauses_of("lodash is used, do not remove it")      two clauses
    sign_of(clause, {"use"})                             1 said, -1 denied, 0 not spoken of

Laws: a denial reaches the first word of meaning behind it and what is joined to that by
`or` and `and`, no word before it, no other clause; a prohibition reaches its whole clause;
two denials of one word are none. A clause of denials alone belongs to its neighbour.
"""

# ruff: noqa: RUF001 - full-width marks are meant

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from kernel.projection.quality.tokens import Token, tokens_of

__all__ = ["Clause", "clauses_of", "heads_behind", "parts_of", "sign_of"]

Clause = tuple[Token, ...]

_GO_ON: Final = (
    r"(?!\s*(?:or|nor|and (?!(?:never|do not|don['\u2019]t|must|always|only|use)\b)|under|ever|even|in|at|for|which|that|who|by|with|including"
    r"|especially|please|\d)\b)"
)
_CUT: Final = re.compile(
    rf"[;，；。！？]|[.!?](?=\s|\Z)|,{_GO_ON}|\s[—–-]\s|[:：](?!\s*(?:[<>≤≥]|\d|max|min|at (?:most|least)|exactly)|\S)"
    r"|(?<!nothing)(?<!anything)(?<!none)\s(?:but|however|whereas|although|though|while|because|since)\s"
    r"|\s(?:and|so|then)\s+(?=(?:never|do not|don['\u2019]t|must|always|only|we|you|please|use)\b)|\n\s*(?=[-*|+•])",
    re.IGNORECASE,
)
_INTERJECTION: Final = re.compile(
    r"\A\W*(?:no|nope|never mind|not really|not at all)\s*[,.!:;]\s*", re.IGNORECASE
)
_EMPTY: Final = frozenset(("fill", "neg", "wide", "anti", "permit", "only", "and", "must", "state"))
_DENIES: Final = frozenset(("neg", "wide", "anti"))
_MEANS: Final = frozenset(("word", "name"))
#: `not leave it untouched` denies the staying.
_STAYS: Final = frozenset(("keep", "leav", "stay", "remain"))


def parts_of(sentence: str) -> list[str]:
    """Return a sentence cut into its clauses, as they are spelled."""
    return [part for part in _CUT.split(sentence) if part.strip()]


@lru_cache(maxsize=2048)
def clauses_of(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence that mean something."""
    found: list[Clause] = []
    pending: Clause = ()
    for part in _CUT.split(_INTERJECTION.sub("", sentence)):
        own = tokens_of(part)
        if not own:
            continue
        if all(token.kind in _EMPTY for token in own):
            pending += own
            continue
        found.append(pending + own)
        pending = ()
    if pending and found and any(token.kind != "fill" for token in pending):
        found[-1] += pending
    elif pending:
        found.append(pending)
    return tuple(found)


def sign_of(
    clause: Sequence[Token], meant: Callable[[Token], bool], *, states: bool = False
) -> int:
    """Return what a clause says of the words that are meant; 0 where it names none.

    With `states` a word for staying as it is denies, too. Where it says both, it denies.
    """
    places = [at for at, token in enumerate(clause) if token.kind in _MEANS and meant(token)]
    if not places:
        return 0
    wide, reached = 0, dict[int, int]()
    at = carried = 0
    while at < len(clause):
        token = clause[at]
        if token.kind == "neg":
            # Never to work without it is to work with it.
            before = carried if token.text == "without" else 0
            flips, hit, at = _chain(clause, at, meant)
            flips += before
            carried = 0 if hit or hit is None else flips
            if hit:
                reached.update(dict.fromkeys(hit, flips))
            elif hit is None:
                wide += flips
        else:
            wide += token.kind == "wide" or (states and token.kind == "state")
            at += 1
    signs = {-1 if (wide + reached.get(at, 0)) % 2 else 1 for at in places}
    return -1 if -1 in signs else 1


def _chain(
    clause: Sequence[Token], start: int, meant: Callable[[Token], bool]
) -> tuple[int, list[int] | None, int]:
    """Follow a denial: how often it turns, what it reaches, and where it is over.

    It reaches nothing ([]) where it is about other words, everything (None) where it denies
    a permission or stands at the end.
    """
    flips, hit, at = 0, list[int](), start
    while at < len(clause):
        token = clause[at]
        if token.kind in _DENIES:
            if hit:
                break
            flips += 1
        elif token.kind == "permit":
            return flips, None, at + 1
        elif token.kind == "state":
            return flips, None, at
        elif token.kind in _MEANS:
            if token.text in _STAYS and any(later.kind == "state" for later in clause[at:]):
                return flips, None, at + 1
            if meant(token):
                hit += _row(clause, at, meant)
                at = hit[-1]
            if not (at + 1 < len(clause) and clause[at + 1].kind == "and"):
                return flips, hit, at + 1
        elif token.kind not in ("fill", "and", "must", "number"):
            return flips, hit, at
        at += 1
    return flips, hit or (None if at >= len(clause) and not _said(clause, start) else []), at


def _said(clause: Sequence[Token], start: int) -> bool:
    """Tell whether words of meaning stand behind a place."""
    return any(token.kind in _MEANS for token in clause[start:])


def _row(clause: Sequence[Token], at: int, meant: Callable[[Token], bool]) -> list[int]:
    """Return the places of words that are meant, one behind the other."""
    end = at
    while end < len(clause) and clause[end].kind in _MEANS and meant(clause[end]):
        end += 1
    return list(range(at, end))


def heads_behind(clause: Sequence[Token], start: int) -> Iterator[str]:
    """Yield the words a denial or an obligation at a place reaches first."""
    at = start
    while at < len(clause):
        token = clause[at]
        if token.kind in _MEANS:
            yield token.text
            if not (at + 1 < len(clause) and clause[at + 1].kind == "and"):
                return
        elif token.kind not in ("fill", "and", "must", "neg", "anti", "wide", "permit"):
            return
        at += 1
