"""Field texts as words, for the rules that look wording up or compare it.

Laws of this file: words are lower-case letters and digits, whatever stood
between them; nothing here is language-aware beyond a short list of English
words that carry no meaning of their own and three endings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule, Node

__all__ = ["bare", "content", "fields", "words"]

_SPACED = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
_SPACED[ord("'")] = ""
_BARE = {code: chr(code).lower() if chr(code).isalnum() else "" for code in range(128)}
_SPACED, _BARE = str.maketrans(_SPACED), str.maketrans(_BARE)

#: Words that two texts may share without speaking of the same thing.
_EMPTY = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "shall",
        "should",
        "so",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "too",
        "us",
        "was",
        "we",
        "were",
        "what",
        "which",
        "who",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
_VERBS = frozenset({"adopt", "adopted", "choose", "chose", "go", "pick", "picked", "use", "used", "uses", "using"})  # fmt: skip


def words(text: str) -> list[str]:
    """The words of a text in order, lower-case, without punctuation."""
    return text.translate(_SPACED).split()


def bare(text: str) -> str:
    """A text's letters and digits alone, lower-case: what two spellings of one key share."""
    return text.translate(_BARE)


def content(text: str) -> frozenset[str]:
    """The words that carry a text's meaning, without plural and verb endings."""
    return frozenset(_stem(word) for word in words(text) if word not in _EMPTY | _VERBS)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word


def fields(capsule: Capsule) -> Iterator[tuple[Node, str, str]]:
    """Every free text of a capsule: its node, the field's name, the text."""
    yield capsule.meta, "topic", capsule.meta.topic
    yield capsule.meta, "domain", capsule.meta.domain
    for entry in capsule.skeleton:
        yield entry, "fact", entry.fact
        yield entry, "reason", entry.reason
    for rejected in capsule.negative:
        yield rejected, "option", rejected.option
        yield rejected, "reason", rejected.reason
        yield rejected, "lesson", rejected.lesson
    for held in capsule.internal:
        yield held, "content", held.content
    for axis in capsule.relation:
        yield axis, "state", axis.state
    for loop in capsule.loops:
        yield loop, "description", loop.description
    yield capsule.seed, "text", capsule.seed.text
