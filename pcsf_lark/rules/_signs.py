"""A quick look at a conformant capsule: which rules may have something to say.

Loading a rule takes longer than asking it, and most capsules are clean. So a
rule may name a sign without which it is silent, in ``NEEDS``; the looks below
are cheap, and at least as wide as the rules they stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.rules._prose import EMPTY, VAGUE, bare, words
from pcsf_lark.spec import DIMENSIONS, LIMIT, PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule, Entry
    from pcsf_lark.rules._subject import Subject

__all__ = ["DOUBTS", "shown"]

_RANKS = {priority: rank for rank, priority in enumerate(PRIORITIES)}
_SELVES = frozenset(
    ("agent", "ai", "assistant", "bot", "chatbot", "chatgpt", "claude", "gemini", "gpt", "llm", "model",
     "he", "it", "she", "they")
)  # fmt: skip
#: Words by which a loop doubts what it speaks of.
DOUBTS = frozenset(
    ("alternative", "alternatives", "or", "reconsider", "reopen", "replace", "rethink", "revert",
     "revisit", "should", "still", "switch", "undo", "versus", "vs", "whether")
)  # fmt: skip
_OUTSIDE = ("://", "www.", "above", "aforementioned", "attach", "below", "chat", "conversation", "discuss",
            "earlier", "the link", "see link", "mentioned", "previous", "talked", "looked at", "spoke about", "last ")  # fmt: skip
_FILLERS = frozenset(("abo", "cap", "con", "dis", "ses", "sta", "sum", "top", "wor"))
_HEADERS = ("META:", "CHAIN:", "INTEGRITY:", "SEED:", "L1:SKELETON", "L2:NEGATIVE", "L3:INTERNAL",
            "L4:RELATION", "L5:LOOPS")  # fmt: skip
_ASSIGNED = ("pass", "pwd", "secret", "key", "token", "credential")
_ORDERS = ("ignore", "disregard", "forget", "overrid", "bypass", "overrul", "you are now", "you must", "you will",
           "you shall", "pretend", "act as", "act to", "instruction", "prompt", "tell the", "inform the",
           "alert the", "warn the", "mention", "jailbreak", "developer mode", "do anything", "[inst", "<<",
           "</", "<system", "<assistant", "\n#")  # fmt: skip
#: What Q017 calls too much, in per cent of a file of at least so many bytes.
_SHARE, _LARGE = 60, 600
_DIGITS = str.maketrans("123456789 ()./-", "0" * 15)
_PHONE = "0" * 11


def shown(subject: Subject, capsule: Capsule) -> frozenset[str]:
    """The signs that a conformant capsule shows."""
    return frozenset((*_header(subject, capsule), *_layers(capsule), *_wording(subject, capsule)))


def _header(subject: Subject, capsule: Capsule) -> Iterator[str]:
    size, chain, stamp = len(subject.source.data), capsule.chain, capsule.integrity
    if capsule.layout == "compact":
        yield "compact"
    if (chain or stamp) and capsule.version != "v1.2":
        yield "older"
    if (chain and chain.hops[0] == "0") or (stamp and stamp.chars[0] == "0"):
        yield "zeros"
    if chain and chain.origin >= capsule.meta.timestamp:
        yield "origin"
    if capsule.meta.depth == "DEEP" and not capsule.skeleton:
        yield "empty"
    if subject.budget <= size <= LIMIT:
        yield "spent"
    if size >= _LARGE and any(
        _taken(entries) * 100 > size * _SHARE for _, entries in capsule.layers
    ):
        yield "unbalanced"
    if not capsule.final_lf:
        yield "no-end"


def _taken(entries: tuple[Entry, ...]) -> int:
    """The bytes of a layer's entries."""
    if not entries or not (first := entries[0].span) or not (last := entries[-1].span):
        return 0
    return last.end + 1 - first.offset


def _layers(capsule: Capsule) -> Iterator[str]:
    ranks = [_RANKS[loop.priority] for loop in capsule.loops]
    if ranks != sorted(ranks):
        yield "unsorted"
    for keys in (
        [bare(e.type + e.fact) for e in capsule.skeleton],
        [bare(e.option + e.reason) for e in capsule.negative],
        [e.type for e in capsule.internal],
        [bare(e.dimension) for e in capsule.relation],
        [bare(e.description) for e in capsule.loops],
    ):
        if len(set(keys)) != len(keys):
            yield "repeats"
    if any(entry.dimension not in DIMENSIONS for entry in capsule.relation):
        yield "dimension"
    for entry in capsule.internal:
        first = words(entry.content[:40])[:2]
        if not _SELVES.isdisjoint(first):
            yield "person"
    yield from _choices(capsule)


def _choices(capsule: Capsule) -> Iterator[str]:
    facts = [(entry, _starts(entry.fact)) for entry in capsule.skeleton]
    for entry, fact in facts:
        reason = words(entry.reason)
        own = {word[:3] for word in reason if word not in EMPTY} - fact
        if len(own) <= (len(reason) >= 6):
            yield "echo"
        if VAGUE.issuperset(reason):
            yield "vague"
    chosen: set[str] = set().union(*(fact for entry, fact in facts if entry.type == "CHOICE"))
    for rejected in capsule.negative:
        if VAGUE.issuperset(words(rejected.reason)) or VAGUE.issuperset(words(rejected.lesson)):
            yield "vague"
        if not chosen.isdisjoint(_starts(rejected.option)):
            yield "rejected"
    for loop in capsule.loops:
        said = words(loop.description)
        if (loop.type == "DEFERRED_QUESTION" or not DOUBTS.isdisjoint(said)) and any(
            word[:3] in chosen for word in said if word not in EMPTY
        ):
            yield "reopened"


def _starts(text: str) -> set[str]:
    """How the words that mean something begin: what no ending changes."""
    return {word[:3] for word in words(text) if word not in EMPTY}


def _wording(subject: Subject, capsule: Capsule) -> Iterator[str]:
    text = subject.source.text
    lower = text.lower()
    if _any(_OUTSIDE, lower):
        yield "outside"
    meta = capsule.meta
    if _starts(capsule.seed.text) <= _starts(meta.topic) | _starts(meta.domain) | _FILLERS:
        yield "topic"
    usual = 7 + (capsule.chain is not None) + (capsule.integrity is not None)
    if sum(map(text.upper().count, _HEADERS)) != usual or text.count("===") != 4:
        yield "header"
    if subject.long_words or "PRIVATE KEY" in text or "://" in text:
        yield "long-word"
    if _any(_ASSIGNED, lower):
        yield "assigned"
    dateless = text.replace(meta.timestamp, "")
    if capsule.chain:
        dateless = dateless.replace(capsule.chain.origin, "")
    if "@" in text or _PHONE in dateless.translate(_DIGITS):
        yield "contact"
    if _any(_ORDERS, lower):
        yield "order"


def _any(bits: tuple[str, ...], text: str) -> bool:
    return any(bit in text for bit in bits)
