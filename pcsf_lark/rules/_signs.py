"""A quick look at a conformant capsule: which rules may have something to say.

Loading a rule takes longer than asking it, and most capsules are clean. So a
rule may name a sign without which it is silent, in ``NEEDS``; the looks below
are cheap, and at least as wide as the rules they stand for.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pcsf_lark.rules._prose import EMPTY, VAGUE, bare, listed, words
from pcsf_lark.spec import DIMENSIONS, LAYERS, LIMIT, PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule
    from pcsf_lark.rules._subject import Subject

__all__ = ["DOUBTS", "risks", "shown"]

_RANKS = {priority: rank for rank, priority in enumerate(PRIORITIES)}
_SELVES = listed(
    "agent ai assistant bot chatbot chatgpt claude gemini gpt llm model he it she they you"
)
#: Words by which a loop doubts what it speaks of.
DOUBTS = listed(
    "alternative alternatives better between instead maybe or reconsider reopen replace rethink revert "
    "revisit should still switch undo versus vs whether"
)
_POINTERS = listed(
    "above aforementioned attached attachment attachments below chat conversation discussed "
    "discussion earlier link linked looked mentioned previous previously screenshot screenshots "
    "spoke talked transcript www"
)
#: Words that point out of a capsule in company: of a talk, of `as`, of `you`.
_POINTED = (
    (listed("last"), listed("answer message reply response session thread")),
    (listed("as"), listed("agreed explained noted said")),
    (listed("you"), listed("gave pasted sent shared showed uploaded")),
)
_FILLERS = ("abo", "cap", "con", "dis", "ses", "sta", "sum", "top", "wor")
_HEADERS = ("META:", "CHAIN:", "INTEGRITY:", "SEED:", *(layer.header for layer in LAYERS))
_NAMES = ("META", "CHAIN", "INTEGRITY", "SEED")
_KEYS = listed(
    "accesskey accesstoken apikey authtoken contrasena credential credentials kennwort key passe "
    "passphrase passwd password passwort pwd secret secretkey senha token wachtwoord"
)
_ORDERS = listed(
    "act anweisung anweisungen befehl befehle befehlen bypass comply consignes developer disobey "
    "disregard exfiltrate forget ignore instrucciones instrucoes instruction instructions "
    "instruktion instruktionen istruzioni jailbreak obey override overrule pretend prompt regel "
    "regeln reglas"
)
#: Words that address a reader in company, and mean nothing alone.
_COMPANY = (
    (
        listed("your"),
        listed(
            "direction directions directive directives goal guardrail guardrails guideline "
            "guidelines limitation limitations objective policies policy programming purpose "
            "restriction restrictions role rule rules safeguard safeguards safety task training"
        ),
    ),
    (
        listed("follow apply respect"),
        listed(
            "directive directives guideline guidelines policies policy restriction restrictions "
            "rule rules"
        ),
    ),
    (listed("next"), listed("ai assistant llm model")),
    (listed("refuse"), listed("you")),
    (listed("tell inform alert warn mention"), listed("user human operator")),
)
_TOLD = (
    listed("you are now"),
    listed("you no longer"),
    listed("do anything now"),
    listed("from now on"),
)
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
    if size >= _LARGE and _widest(capsule) * 100 > size * _SHARE:
        yield "unbalanced"
    if not capsule.final_lf:
        yield "no-end"


def _widest(capsule: Capsule) -> int:
    """At least as many bytes as the entries of any layer take."""
    starts = [entries[0].at for _, entries in capsule.layers if entries]
    offsets = [at[0] for at in (*starts, capsule.seed.at) if at]
    return max((b - a for a, b in pairwise(offsets)), default=0)


def _layers(capsule: Capsule) -> Iterator[str]:
    ranks = [_RANKS[loop.priority] for loop in capsule.loops]
    if ranks != sorted(ranks):
        yield "unsorted"
    skeleton, negative, relation, loops = (
        capsule.skeleton, capsule.negative, capsule.relation, capsule.loops,
    )  # fmt: skip
    if (
        _alike([e.type + e.fact for e in skeleton])
        or _alike([e.option + e.reason for e in negative])
        or _alike([e.type for e in capsule.internal])
        or _alike([e.dimension for e in relation])
        or _alike([e.description for e in loops])
    ):
        yield "repeats"
    if any(entry.dimension not in DIMENSIONS for entry in capsule.relation):
        yield "dimension"
    for entry in capsule.internal:
        first = words(entry.content[:40])[:2]
        if not _SELVES.isdisjoint(first):
            yield "person"
    yield from _choices(capsule)


def _alike(keys: list[str]) -> bool:
    return len(keys) > 1 and len(set(map(bare, keys))) != len(keys)


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
    text, meta = subject.source.text, capsule.meta
    seen = _seen(text)
    if "://" in text or not seen.isdisjoint(_POINTERS) or _together(seen, _POINTED):
        yield "outside"
    subjects = f"{meta.topic} {meta.domain}".lower()
    if all(start in subjects or start in _FILLERS for start in _starts(capsule.seed.text)):
        yield "topic"
    if text.count("===") != 4 or _like_headers(capsule, text):
        yield "header"
    dateless = text.replace(meta.timestamp, "")
    if capsule.chain:
        dateless = dateless.replace(capsule.chain.origin, "")
    yield from _risks(subject, text, seen, dateless)


def risks(subject: Subject) -> frozenset[str]:
    """The signs of what must not travel, in any text."""
    text = subject.source.text
    return frozenset(_risks(subject, text, _seen(text), text))


def _together(seen: set[str], pairs: tuple[tuple[frozenset[str], frozenset[str]], ...]) -> bool:
    return any(not (seen.isdisjoint(one) or seen.isdisjoint(other)) for one, other in pairs)


def _seen(text: str) -> set[str]:
    return set(words(text.replace("'", " ")))


def _risks(subject: Subject, text: str, seen: set[str], dateless: str) -> Iterator[str]:
    if subject.long_words or "PRIVATE KEY" in text or "://" in text:
        yield "long-word"
    if not seen.isdisjoint(_KEYS):
        yield "assigned"
    if "@" in text or _PHONE in dateless.translate(_DIGITS):
        yield "contact"
    if (
        not seen.isdisjoint(_ORDERS)
        or any(phrase <= seen for phrase in _TOLD)
        or _together(seen, _COMPANY)
        or "<" in text
        or "[" in text
        or "\n#" in text
    ):
        yield "order"


def _like_headers(capsule: Capsule, text: str) -> bool:
    usual = 7 + (capsule.chain is not None) + (capsule.integrity is not None)
    return sum(map(text.count, _HEADERS)) != usual or any(
        e.dimension.upper() in _NAMES for e in capsule.relation
    )
