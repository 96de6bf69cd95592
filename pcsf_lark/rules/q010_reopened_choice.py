"""No loop reopens what L1 says was chosen.

A decision and an open question about it cannot both be current. The format
tells a reader to surface such a conflict, never to pick; writing it down costs
the next session a question that this one could have settled.

Close the loop, or turn the choice into a hypothesis and say what would settle it.

Misses: a loop that reopens a choice in other words. Seen are loops that hold
the choice's words beside one that undoes it (`reconsider`, `revert`, `switch`
...) or beside a doubt and a verb of choosing (`whether to keep`, `or` next to
what was chosen), and deferred questions that hold all of them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._choices import chosen
from pcsf_lark.rules._prose import content, listed, words
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._signs import DOUBTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import LoopEntry
    from pcsf_lark.rules._rule import Subject

CODE = "Q010"
NAME = "reopened-choice"
SEVERITY = Severity.WARNING
SECTION = "6"
SINCE = "0.1.0"
NEEDS = "reopened"
_LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH"
GOOD = (
    example(),
    example(_LOOP, "INCOMPLETE_TASK | build the index online on the second shard | HIGH"),
    example(_LOOP, "DEFERRED_QUESTION | which index is next? | HIGH"),
    example(_LOOP, "INCOMPLETE_TASK | check whether the index has all rows online | HIGH"),
)
BAD = (
    example(_LOOP, "DEFERRED_QUESTION | should we build the index online at all? | HIGH"),
    example(_LOOP, "INCOMPLETE_TASK | reconsider building the index online | HIGH"),
    example(_LOOP, "DEFERRED_QUESTION | revisit the online decision | LOW"),
    example(
        _LOOP,
        "HYPOTHESIS_UNTESTED | maybe a dump would be better than to build an index online | LOW",
    ),
)

#: Words that undo a choice by themselves; the other doubts need a verb of choosing.
_UNDOING = listed(
    "alternative alternatives reconsider reopen rethink revert revisit switch undo versus vs"
)
_CHOOSING = listed("adopt choose decide keep pick prefer stay stick use")
_WEIGHING = listed("i should than to we")
#: What may be said of a choice beside its own words, in a loop about nothing else.
_DECIDING = listed(
    "about again choice correct decid decision good need question really right still sure wise worth wrong"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each loop that doubts a choice."""
    capsule = subject.capsule
    if capsule is None or not capsule.loops:
        return
    for choice in capsule.skeleton:
        if choice.type != "CHOICE" or not choice.span:
            continue
        picked = chosen(choice.fact)
        for loop in capsule.loops:
            span = loop.field_span("description")
            if span and picked and _reopens(loop, words(choice.fact)[0], picked):
                yield Finding(
                    span,
                    f"this loop reopens the choice of line {choice.span.line}",
                    "close the loop, or turn the choice into an open hypothesis",
                )


def _reopens(loop: LoopEntry, verb: str, picked: frozenset[str]) -> bool:
    said, about = words(loop.description), content(loop.description)
    shared = len(picked & about)
    if not shared:
        return False
    mostly = shared * 3 >= len(picked) * 2
    nothing_else = about - picked <= _UNDOING | _DECIDING and about > picked & about
    replaced = "replace" in said and ("by" in said or "with" in said)
    if replaced or not _UNDOING.isdisjoint(said):
        return mostly or nothing_else
    if loop.type == "DEFERRED_QUESTION" and (nothing_else or shared == len(picked) > 1):
        return True
    if DOUBTS.isdisjoint(said):
        return False
    chooses = not _CHOOSING.isdisjoint(said) or _is_weighed(said, verb)
    return mostly and (chooses or _is_offered(said, picked))


def _is_weighed(said: list[str], verb: str) -> bool:
    """Whether the choice's own verb is in question: `should we build`, `better than to build`."""
    own = content(verb)
    return any(
        before in _WEIGHING and content(word) == own for before, word in pairwise(said) if own
    )


def _is_offered(said: list[str], picked: frozenset[str]) -> bool:
    """Whether the choice is one of two: `Postgres or MySQL`, `instead of Postgres`."""
    beside = [
        word
        for i, word in enumerate(said)
        if "or" in said[max(i - 1, 0) : i + 2] or said[max(i - 2, 0) : i] == ["instead", "of"]
    ]
    return not picked.isdisjoint(content(" ".join(beside)))
