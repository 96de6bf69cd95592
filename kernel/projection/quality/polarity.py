"""Does a sentence keep a rule the way round it was given.

    rules = rules_of("Never delete the production database, and retry at most 3 times.")
    all(keeps(rule, sentence, source) for rule in rules)

| rule | kept by a sentence in which a clause |
|---|---|
| forbid | denies the verb, one like it, or the thing; none says the verb of the thing |
| oblige | speaks of the thing; none denies it |
| only | limits to the thing, or denies all but it |
| bound | has the number with the same bound: at most, at least, exactly |

Laws: lexical, by the tables of `tokens` and the reach of `clauses`; a sentence that lifts
a rule, or makes an exception the rule has not, keeps none; what is quoted whole is kept.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from kernel.projection.quality.clauses import Clause, clauses_of, sign_of
from kernel.projection.quality.rules import Rule, bounds_beside
from kernel.projection.quality.tokens import Token, akin
from kernel.projection.quality.verbs import (
    CLASSES,
    DESTROY,
    EXCEPTS,
    LIFTED,
    MODIFY,
    PRESERVES,
    USE,
)

__all__ = ["denies", "denies_deletion", "keeps"]


def keeps(rule: Rule, sentence: str, source: str = "") -> bool:
    """Tell whether a sentence keeps a rule that a source's sentence gave."""
    if LIFTED.search(sentence) and not LIFTED.search(source):
        return False
    if EXCEPTS.search(sentence) and not EXCEPTS.search(source):
        return False
    clauses = clauses_of(sentence)
    if not _speaks(rule, [token for clause in clauses for token in clause]):
        return False
    return _KEEPS[rule.sort](rule, clauses)


def denies(rule: Rule, sentence: str) -> bool:
    """Tell whether a sentence denies what a rule obliges to."""
    clauses = clauses_of(sentence)
    if rule.sort != "oblige" or not _speaks(rule, [token for one in clauses for token in one]):
        return False
    return not _obliges(rule, clauses)


def _speaks(rule: Rule, tokens: Iterable[Token]) -> bool:
    """Tell whether tokens name what a rule is about: its names, else some of its words."""
    said = [token for token in tokens if token.kind in ("word", "name", "number")]
    if rule.names:
        held = sum(any(_named(name, token) for token in said) for name in rule.names)
        return held >= (len(rule.names) if len(rule.names) <= 4 else len(rule.names) // 2)
    # What obliges or limits is kept by no denial, so that more of it must be there.
    more = rule.sort in ("oblige", "only")
    words = (*rule.heads, *rule.words) if more else rule.words or rule.heads
    spoken = [token.text for token in said if token.kind == "word"]
    held = sum(any(akin(word, one) for one in spoken) for word in words)
    return held >= min(3, max(1, (len(words) + more) // 2)) if words else True


def _named(name: str, token: Token) -> bool:
    said = token.text
    if token.kind == "number":
        return said == name
    if token.kind != "name":
        return False
    one, other = name.lstrip("@."), said.lstrip("@.")
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _alike(rule: Rule) -> frozenset[str]:
    """Return the verbs that may stand for those of a rule."""
    found = {word for head in rule.heads for words in CLASSES if head in words for word in words}
    return frozenset(found or USE)


def _is_head(rule: Rule) -> Callable[[Token], bool]:
    return lambda token: any(akin(head, token.text) for head in rule.heads)


def _is_alike(rule: Rule) -> Callable[[Token], bool]:
    alike = _alike(rule)
    return lambda token: token.text in alike


def _is_thing(rule: Rule) -> Callable[[Token], bool]:
    return lambda token: (
        any(_named(name, token) for name in rule.names)
        or (token.kind == "word" and any(akin(word, token.text) for word in rule.words))
    )


def _sign(rule: Rule, clause: Clause) -> int:
    """Return what a clause says of the verb of a rule, or of the thing where it has none."""
    states = any(head in MODIFY for head in rule.heads)
    if _is_void(rule, clause):
        return -1
    for meant in (_is_head(rule), _is_alike(rule), _is_thing(rule)):
        sign = sign_of(clause, meant, states=states)
        if sign:
            return sign
    return 0


def _is_void(rule: Rule, clause: Clause) -> bool:
    """Tell whether a clause denies the thing and has the verb behind it: no X may be run."""
    thing, head = _is_thing(rule), _is_head(rule)
    for at in range(len(clause) - 2):
        if clause[at] == Token("neg", "no") and thing(clause[at + 1]):
            return any(head(token) for token in clause[at + 2 :] if token.kind == "word")
    return False


def _forbids(rule: Rule, clauses: Iterable[Clause]) -> bool:
    kept = False
    for clause in clauses:
        sign = _sign(rule, clause)
        kept = kept or sign < 0 or _preserves(rule, clause)
        said = sign > 0 and sign_of(clause, _is_head(rule)) > 0
        if said and _speaks(rule, clause):
            return False
    return kept


def _preserves(rule: Rule, clause: Clause) -> bool:
    """Tell whether a clause says to keep what a rule forbids to destroy."""
    if not any(head in DESTROY for head in rule.heads) or not _speaks(rule, clause):
        return False
    return sign_of(clause, lambda token: token.text in PRESERVES) > 0


def _obliges(rule: Rule, clauses: Iterable[Clause]) -> bool:
    head, thing = _is_head(rule), _is_thing(rule)
    for clause in clauses:
        wide = any(token.kind == "wide" for token in clause)
        asked = (head, thing) if rule.names or not rule.heads or wide else (head,)
        if any(sign_of(clause, meant) < 0 for meant in asked):
            return False
    return True


def _limits(rule: Rule, clauses: Iterable[Clause]) -> bool:
    for clause in clauses:
        kinds = [token.kind for token in clause if token.kind not in ("fill", "must")]
        sign = _sign(rule, clause)
        if sign < 0 and "beyond" in kinds:
            return True
        denied = any(pair == ("neg", "only") for pair in pairwise(kinds))
        if sign >= 0 and not denied and not {"only", "exact"}.isdisjoint(kinds):
            return True
    return False


def _bounds(rule: Rule, clauses: Iterable[Clause]) -> bool:
    kept, thing = False, _is_thing(rule)
    for clause in clauses:
        if any(token.kind == "none" for token in clause):
            return False
        for at, token in enumerate(clause):
            if token == Token("number", rule.number):
                near = bounds_beside(clause, at)
                right = near <= {"exact"} if rule.bound == "exact" else near == {rule.bound}
                kept = kept or (right and (not rule.words or any(map(thing, clause)) or at == 0))
    return kept


_KEEPS: Final = {"forbid": _forbids, "oblige": _obliges, "only": _limits, "bound": _bounds}


def denies_deletion(clause: Clause) -> int:
    """Return what a clause says of a deletion: 1 it was, -1 it was not, 0 nothing."""
    return sign_of(clause, lambda token: token.text in DESTROY)
