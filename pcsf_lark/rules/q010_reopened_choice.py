"""No loop reopens what L1 says was chosen.

A decision and an open question about it cannot both be current. The format
tells a reader to surface such a conflict, never to pick; writing it down costs
the next session a question that this one could have settled.

Close the loop, or turn the choice into a hypothesis and say what would settle it.

Misses: a loop that reopens a choice in other words. Seen are loops that hold
the choice's words beside one that doubts (`whether`, `should`, `reconsider`,
`revert`, `switch`, `or` ...), and deferred questions that hold all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._choices import chosen
from pcsf_lark.rules._prose import content, words
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
)
BAD = (
    example(_LOOP, "DEFERRED_QUESTION | should we build the index online at all? | HIGH"),
    example(_LOOP, "INCOMPLETE_TASK | reconsider building the index online | HIGH"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each loop that doubts a choice."""
    capsule = subject.capsule
    if capsule is None or not capsule.loops:
        return
    doubting = [(loop, not DOUBTS.isdisjoint(words(loop.description))) for loop in capsule.loops]
    for choice in capsule.skeleton:
        if choice.type != "CHOICE" or not choice.span:
            continue
        picked = chosen(choice.fact)
        for loop, doubts in doubting:
            span = loop.field_span("description")
            if span and _reopens(loop, picked, doubts=doubts):
                yield Finding(
                    span,
                    f"this loop reopens the choice of line {choice.span.line}",
                    "close the loop, or turn the choice into an open hypothesis",
                )


def _reopens(loop: LoopEntry, picked: frozenset[str], *, doubts: bool) -> bool:
    shared = len(picked & content(loop.description))
    if not shared:
        return False
    if not doubts:
        return loop.type == "DEFERRED_QUESTION" and shared == len(picked) > 1
    return shared * 3 >= len(picked) * 2
