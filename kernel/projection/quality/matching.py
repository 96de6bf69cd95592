"""Does a summary hold what a fact needs.

Laws: needs of one fact are met by one statement together, except those owed anywhere;
identifiers and numbers compare letter by letter, a file by any ending of its path that no
other file of the manifest shares, words by their stems; a fact is asked of the statements
that hold the rarest thing it needs, not of all; of those alone it is asked what they mean.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.quality.artifacts import endings_of, plain_path
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.postings import Postings
from kernel.projection.quality.senses import Senses
from kernel.projection.quality.statements import Statement
from kernel.projection.quality.wording import is_path, runs_of, words_of

__all__ = ["Index", "shared_endings"]

_PIECE: Final = re.compile(r"\w+")
_SENSES: Final = frozenset(("sense", "deleted"))


@frozen
class Index:
    """A summary's statements, where each token stands, and which tokens each holds.

    `shared` are the endings that do not tell one file from another.
    """

    statements: tuple[Statement, ...] = field(converter=as_tuple)
    flat: tuple[str, ...] = field(converter=as_tuple)
    pieces: Postings
    exact: Postings
    words: Postings
    endings: Postings
    shared: frozenset[str]
    senses: Senses

    @classmethod
    def of(cls, statements: Sequence[Statement], facts: Iterable[Fact]) -> "Index":
        """Index statements for the facts of a manifest."""
        texts = [statement.text for statement in statements]
        paths = [need.options[0] for fact in facts for need in fact.needs if need.kind == "path"]
        return cls(
            statements,
            [" ".join(text.split()) for text in texts],
            Postings([set(_PIECE.findall(text.lower())) for text in texts]),
            Postings([set(_tokens(text)) for text in texts]),
            Postings([set(words_of(text)) for text in texts]),
            Postings(
                [{form for run in runs_of(text) for form in _path_forms(run)} for text in texts]
            ),
            shared_endings(paths),
            Senses(statements),
        )

    def places(self, fact: Fact, *, most: int = 1, tries: int = 512) -> set[int]:
        """Return up to `most` statements that keep a fact; none where it is lost.

        Those that quote it are asked first, then those that hold the rarest thing it needs,
        no more than `tries` in all.
        """
        free = [self._all(need) for need in fact.needs if need.anywhere]
        if not all(free):
            return set()
        there = [need for need in fact.needs if not need.anywhere and need.least > 0]
        if not there:
            return set().union(*free)
        there.sort(key=self._weight)
        found: set[int] = set()
        for at in islice(dict.fromkeys(self._likely(fact, there[0])), tries):
            if all(self._meets(at, need) for need in there):
                found.add(at)
                if len(found) == most:
                    break
        return found

    def _likely(self, fact: Fact, rarest: Need) -> Iterator[int]:
        """Yield statements that may keep a fact, those that quote it first."""
        yield from self.senses.quoting(fact.text)
        if rarest.kind == "marker" or rarest.kind in _SENSES:
            yield from range(len(self.statements))
            return
        # What holds `least` of the options holds one of any but `least` less one of them.
        options = sorted(rarest.options, key=lambda option: self._size(rarest, option))
        for option in options[: len(options) - rarest.least + 1]:
            yield from sorted(self._candidates(rarest, option))

    def _means(self, at: int, need: Need) -> bool:
        """Tell whether a statement means what a need says."""
        if need.kind == "sense":
            return self.senses.keeps(at, need.options[0])
        path = need.options[0]
        forms = frozenset(self._forms(path))
        named = _is_run(plain_path(path))

        def holds(text: str) -> bool:
            if named:
                return any(form in forms for run in runs_of(text) for form in _path_forms(run))
            return any(form in text for form in forms)

        return self.senses.deletes(at, holds)

    def _weight(self, need: Need) -> float:
        if need.kind == "marker" or need.kind in _SENSES:
            return math.inf
        return sum(self._size(need, option) for option in need.options)

    def _size(self, need: Need, option: str) -> int:
        if need.kind == "phrase":
            pieces = _PIECE.findall(option.lower())
            return min(map(self.pieces.size, pieces), default=len(self.flat))
        return (self.words if need.kind == "word" else self.exact).size(option)

    def _all(self, need: Need) -> set[int]:
        """Return the statements that meet one need."""
        if need.kind == "marker":
            return {at for at in range(len(self.statements)) if self._meets(at, need)}
        candidates = set[int]().union(*(self._candidates(need, option) for option in need.options))
        return {at for at in candidates if self._meets(at, need)}

    def _meets(self, at: int, need: Need) -> bool:
        if need.kind == "marker":
            return not self.statements[at].markers.isdisjoint(need.options)
        if need.kind in _SENSES:
            return self._means(at, need)
        met = 0
        for option in need.options:
            met += self._holds(at, need, option)
            if met >= need.least:
                return True
        return need.least <= 0

    def _candidates(self, need: Need, option: str) -> set[int]:
        if need.kind == "word":
            return self.words.of(option)
        if need.kind == "phrase":
            pieces = _PIECE.findall(option.lower())
            if not pieces:
                return set(range(len(self.statements)))
            return self.pieces.of(min(pieces, key=self.pieces.size))
        found = set(self.exact.of(option))
        for form in self._forms(option):
            found |= self.endings.of(form)
        if not _is_run(plain_path(option)):
            found |= {at for at in range(len(self.statements)) if self._spells(at, option)}
        return found

    def _spells(self, at: int, path: str) -> bool:
        """Tell whether a statement spells a path that is no run, one with blanks say."""
        return any(form in self.statements[at].text for form in self._forms(path))

    def _holds(self, at: int, need: Need, option: str) -> bool:
        if need.kind == "word":
            return option in self.words.tokens[at]
        if need.kind == "phrase":
            return _in_a_row(" ".join(option.split()), self.flat[at])
        if need.kind == "exact" and option in self.exact.tokens[at]:
            return True
        if need.kind == "exact" and not is_path(option):
            return False
        own = self.endings.tokens[at]
        if any(form in own for form in self._forms(option)):
            return True
        return not _is_run(plain_path(option)) and self._spells(at, option)

    def _forms(self, path: str) -> Iterator[str]:
        """Yield what names a file: its path, endings nobody shares, and more of its path."""
        path = plain_path(path)
        for ending in endings_of(path):
            if ending == path or ending not in self.shared:
                yield ending
        yield "/" + path


def _in_a_row(phrase: str, flat: str) -> bool:
    """Tell whether a text holds a phrase as words of its own; one in small letters in any."""
    flat = flat.lower() if phrase.islower() else flat
    at = flat.find(phrase) if phrase else -1
    while at >= 0:
        end = at + len(phrase)
        before, after = flat[max(0, at - 1) : at], flat[end : end + 1]
        if not (_is_word(before) and _is_word(phrase[0])) and not (
            _is_word(after) and _is_word(phrase[-1])
        ):
            return True
        at = flat.find(phrase, at + 1)
    return False


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_run(text: str) -> bool:
    """Tell whether a text is one run, so that an index of runs finds it."""
    return next(runs_of(text), None) == text


def _tokens(text: str) -> Iterator[str]:
    for run in runs_of(text):
        yield run
        yield run.lstrip("@")
        yield run.rstrip(".")
        yield from _PIECE.findall(run)


def _path_forms(run: str) -> Iterator[str]:
    """Yield what a run may name: itself, and behind a slash each of its endings."""
    run = re.sub(r":\d+(?:[:-]\d+)*$", "", run)
    path = plain_path(run)
    yield path
    for ending in endings_of(path):
        if ending != path:
            yield "/" + ending


def shared_endings(paths: Iterable[str]) -> frozenset[str]:
    """Return the endings that more than one path has."""
    seen: set[str] = set()
    twice: set[str] = set()
    for path in dict.fromkeys(map(plain_path, paths)):
        for ending in endings_of(path):
            (twice if ending in seen else seen).add(ending)
    return frozenset(twice)
