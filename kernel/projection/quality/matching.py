"""Does a summary hold what a fact needs.

    statement   a paragraph, a list item with its continuation, a table row or a heading
    heading     lends its words to the markers of the statements below it

Laws: needs of one fact are met by one statement together, except those owed anywhere;
identifiers and numbers compare letter by letter, a file by any ending of its path that no
other file of the manifest shares, words by their stems; cost is linear in summary and
manifest, by an index from token to statements.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.quality.artifacts import endings_of, plain_path
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.wording import is_path, markers_of, runs_of, words_of

__all__ = ["LABELS", "Index", "Statement", "shared_endings", "statements_of"]

#: A statement that begins with one of these and a colon quotes what comes after it.
LABELS: Final = (
    "goal", "constraint", "decision", "rejection", "uncertainty", "changed", "deleted", "file", "symbol", "command",
    "failed", "failure", "check", "open", "ref", "note",
)  # fmt: skip
_LABEL: Final = re.compile(rf"(?:{'|'.join(LABELS)})(?: \([^()\n]*\))?: ")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_HEADING: Final = re.compile(
    r"[ \t]*#{1,6}[ \t]+(?P<a>.+)|\*\*(?P<b>[^*]+)\*\*:?[ \t]*|(?P<c>[^\n.!?]{1,60}):[ \t]*"
)
_PIECE: Final = re.compile(r"\w+")


@frozen
class Statement:
    """A statement of a summary, its heading, and whether it is a labelled quotation."""

    text: str
    heading: str
    labelled: bool
    markers: frozenset[str]


def statements_of(summary: str) -> list[Statement]:
    """Split a normalised summary into its statements."""
    return list(_statements(summary))


def _statements(summary: str) -> Iterator[Statement]:
    heading, lines = "", list[str]()
    for line in summary.split("\n"):
        found = _HEADING.fullmatch(line) if line.strip() else None
        if (
            not line.strip()
            or found is not None
            or _ITEM.match(line)
            or line.lstrip().startswith("|")
        ):
            if lines:
                yield _statement(lines, heading)
            lines = []
        if found is not None:
            heading = next(part for part in found.groups() if part is not None)
            yield _statement([line], "")
        elif line.strip():
            lines.append(line)
    if lines:
        yield _statement(lines, heading)


def _statement(lines: Sequence[str], heading: str) -> Statement:
    text = "\n".join(lines)
    item = _ITEM.match(text)
    body = text[item.end() :] if item else text
    return Statement(
        text, heading, _LABEL.match(body) is not None, markers_of(f"{heading}\n{text}")
    )


@frozen
class Index:
    """A summary's statements, and where each token stands."""

    statements: tuple[Statement, ...] = field(converter=as_tuple)
    exact: dict[str, set[int]]
    words: dict[str, set[int]]
    endings: dict[str, set[int]]
    shared: frozenset[str]

    @classmethod
    def of(cls, statements: Sequence[Statement], facts: Iterable[Fact]) -> "Index":
        """Index statements for the facts of a manifest."""
        exact: dict[str, set[int]] = {}
        words: dict[str, set[int]] = {}
        endings: dict[str, set[int]] = {}
        for at, statement in enumerate(statements):
            for token in _tokens(statement.text):
                exact.setdefault(token, set()).add(at)
            for word in words_of(statement.text):
                words.setdefault(word, set()).add(at)
            for run in runs_of(statement.text):
                if "/" in run or "." in run or run in exact:
                    for form in _path_forms(run):
                        endings.setdefault(form, set()).add(at)
        paths = [need.options[0] for fact in facts for need in fact.needs if need.kind == "path"]
        return cls(statements, exact, words, endings, shared_endings(paths))

    def places(self, fact: Fact) -> set[int]:
        """Return the statements that keep a fact; none where it is lost."""
        there = [need for need in fact.needs if not need.anywhere]
        free = [self.of_need(need) for need in fact.needs if need.anywhere]
        if not all(free):
            return set()
        found: set[int] | None = None
        for need in sorted(there, key=lambda need: need.kind == "marker"):
            places = self.of_need(need, found)
            found = places if found is None else found & places
            if not found:
                return set()
        return found if found is not None else set().union(*free)

    def of_need(self, need: Need, among: set[int] | None = None) -> set[int]:
        """Return the statements that meet one need."""
        if need.kind == "marker":
            pool = range(len(self.statements)) if among is None else among
            return {at for at in pool if self.statements[at].markers & set(need.options)}
        counts: dict[int, int] = {}
        for option in need.options:
            for at in self._option(need, option):
                counts[at] = counts.get(at, 0) + 1
        if need.least < 1:
            return set(range(len(self.statements)))
        return {at for at, count in counts.items() if count >= need.least}

    def _option(self, need: Need, option: str) -> set[int]:
        if need.kind == "word":
            return self.words.get(option, set())
        if need.kind == "exact":
            found = self.exact.get(option, set())
            return found | self._path(option) if is_path(option) else found
        if need.kind == "path":
            return self._path(option)
        return self._phrase(option)

    def _path(self, path: str) -> set[int]:
        path = plain_path(path)
        found: set[int] = set()
        for ending in endings_of(path):
            if ending not in self.shared or ending == path:
                found |= self.endings.get(ending, set()) | self.exact.get(ending, set())
        if any(char.isspace() for char in path):
            found |= {at for at, one in enumerate(self.statements) if path in one.text}
        # A summary may name the file by more of its path than the log did.
        return found | self.endings.get("/" + path, set())

    def _phrase(self, phrase: str) -> set[int]:
        pieces = _PIECE.findall(phrase)
        if not pieces:
            return {at for at, one in enumerate(self.statements) if phrase in one.text}
        pool = min((self.exact.get(piece, set()) for piece in pieces), key=len)
        pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)".replace(r"\ ", r"\s+"))
        return {at for at in pool if pattern.search(self.statements[at].text)}


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
