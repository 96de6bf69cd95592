"""What a summary claims to be done or passing, against what the log shows.

Laws: only a clause that states something as so is a claim: not a quotation under a label,
not what must, should or will be, not a condition, not a denial, not what stood before;
a clause about another check by its name is no claim about this one; a denied failure is
a claim to pass, a fault that is told as mended or in spite of which it passes is no denial.
"""

# ruff: noqa: RUF001 - full-width marks are meant

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

from kernel.projection.quality.facts import Fact
from kernel.projection.quality.settling import settled
from kernel.projection.quality.statements import Statement
from kernel.projection.quality.verification import GENERIC
from kernel.projection.quality.wording import identifiers_of, words_of

__all__ = ["Claims"]

_CLAUSE: Final = re.compile(
    r"(?<=[.!?;])\s+|\n+|,?\s+(?:but|however|though|although|whereas|while|except)\b|[。！？；，]"
    r"|,\s+(?:so|and now|which (?:is|was|has|have)|now)\b"
)
_PASSING: Final = re.compile(
    r"\b(?:pass(?:es|ed|ing)?|green|succe(?:ed|eds|eded|ss|ssful|ssfully)|clean|works?|working|ok|okay|fine(?!-)"
    r"|fixed|resolved|repaired|corrected|healthy)\b|✅|✓|✔|通过|成功|已修复",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"\b(?:done|complete[d]?|completes|finished|implemented|fixed|merged|shipped|resolved|landed|submitted|delivered|closed"
    r"|cancell?ed|abandoned|obsolete|unnecessary|dropped)\b"
    r"|✅|✓|✔|☑|\[[xX]\]|已完成|完成了|已",
    re.IGNORECASE,
)
_NO_CLAIM: Final = re.compile(
    r"\b(?:must|should|shall|will|would|could|may|might|can|if|unless|until|when|once|to make|to get|make sure|ensure|need(?:s|ed)?"
    r"|before|previously|initially|earlier|at first|not|never|no longer|cannot|yet|fail\w*|broken|error\w*|pending|open|remain\w*"
    r"|todo|to-do|in[- ]progress|partial\w*|almost|nearly|unknown|unverified|unclear|expected|wants?|goal|next|still|some|most|\d+ of \d+)\b"
    r"|n['\u2019]t\b|\bto (?:pass|succeed|work|be)\b|\[ \]|未|没|应|必须|需要|待|失败",
    re.IGNORECASE,
)
#: What was broken and is mended: the word for the fault tells of what was.
_MENDED: Final = re.compile(
    r"\b(?:the|a|this|that|all|formerly|previously|once)(?: [\w.-]+)? (?:fail(?:ing|ed)|broken|crashing|red|errors?|failures?)\b"
    r"(?=.{0,120}\b(?:is|are|was|were|got|been|now)(?: \w+)? (?:fixed|resolved|repaired|corrected|green|passing))",
    re.IGNORECASE,
)
_DESPITE: Final = re.compile(
    r",?\s*\b(?:despite|in spite of|notwithstanding|regardless of)\b.*", re.IGNORECASE | re.DOTALL
)
_FAILING: Final = re.compile(
    r"\b(?:fails|failing|is broken|are broken|still fail\w*)\b|失败", re.IGNORECASE
)
_ALL_DONE: Final = re.compile(
    r"\b(?:all|every|each) (?:\w+ ){0,3}(?:tasks?|work|phases?|items?|steps?|todos?|goals?|requests?)\b.*\b(?:done|complete[d]?|finished)\b"
    r"|\beverything (?:\w+ ){0,2}(?:done|complete[d]?|finished)\b|\bnothing (?:is |else )?(?:left|remain\w*|open|pending|outstanding)\b"
    r"|\b(?:everything|all)(?: of the)? above (?:is|was|are|were|has been) (?:done|complete[d]?|finished)\b"
    r"|\bno (?:open|remaining|pending|outstanding|further) (?:work|tasks?|items?|steps?|issues?|todos?)\b"
    r"|\b(?:open (?:work|items)|pending tasks?|remaining(?: work)?|next steps?)\s*:\s*(?:none|nothing)\b|全部完成|没有剩余",
    re.IGNORECASE,
)


@frozen
class _Named:
    """A clause with the checks it names, and the kinds of check it speaks of in general."""

    names: frozenset[str]
    kinds: frozenset[str]

    @classmethod
    def of(cls, clause: str, names: Iterable[str]) -> "_Named":
        """Look for names and kinds in a clause."""
        found = frozenset(name for name in names if _has(clause, name))
        kinds = (
            kind for kind, words in GENERIC.items() if any(_has(clause, word) for word in words)
        )
        return cls(found, frozenset(kinds))

    def is_about(self, fact: Fact) -> bool:
        """Tell whether the clause is about a check: by its name, or by its kind and no name."""
        if self.names:
            return fact.value in self.names
        return fact.subkind.split("-")[0] in self.kinds


class Claims:
    """The clauses of a summary that state something, and which checks they name."""

    def __init__(self, statements: Sequence[Statement], checks: Iterable[Fact]) -> None:
        """Collect them."""
        self._raw = [part for one in statements if not one.labelled for part in _clauses(one.text)]
        self._clauses = [_DESPITE.sub("", _MENDED.sub("", settled(part))) for part in self._raw]
        self._done = [c for c in self._clauses if _DONE.search(c) and not _NO_CLAIM.search(c)]
        self._words = [frozenset(words_of(clause)) for clause in self._done]
        names = {fact.value for fact in checks}
        passing = (c for c in self._clauses if _PASSING.search(c) and not _NO_CLAIM.search(c))
        self._passing = [_Named.of(clause, names) for clause in passing]
        self._failing = [_Named.of(c, names) for c in self._clauses if _FAILING.search(c)]

    def says_passing(self, fact: Fact) -> bool:
        """Tell whether the summary says a check passes."""
        return any(clause.is_about(fact) for clause in self._passing)

    def says_failing(self, fact: Fact) -> bool:
        """Tell whether the summary says a check fails."""
        return any(clause.is_about(fact) for clause in self._failing)

    def says_done(self, fact: Fact) -> bool:
        """Tell whether the summary says an item of work is done: by most of its words."""
        words, names = words_of(fact.value), identifiers_of(fact.value)
        if not words and not names:
            return False
        for clause, own in zip(self._done, self._words, strict=True):
            hits = sum(word in own for word in words)
            if (
                all(name in clause for name in names)
                and hits * 3 >= len(words) * 2
                and hits + len(names)
            ):
                return True
        return False

    def says_all_done(self) -> bool:
        """Tell whether the summary says that nothing is open."""
        return any(_ALL_DONE.search(clause) for clause in self._raw)


def _clauses(text: str) -> Iterator[str]:
    return (part for part in _CLAUSE.split(text) if part and part.strip())


def _has(clause: str, phrase: str) -> bool:
    return re.search(
        rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", clause, re.IGNORECASE
    ) is not None or (not phrase.isascii() and phrase in clause)
