"""SEED says more than META's topic.

The one line that a reader may be left with should orient, not name the
subject: META has named it already.

Write the insight that matters most and could not be derived.

Misses: a SEED that is empty in other words than the topic's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._prose import content
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q014"
NAME = "seed-repeats-topic"
SEVERITY = Severity.WARNING
SECTION = "2.10"
SINCE = "0.1.0"
NEEDS = "topic"
_SEED = "The index is safe to build online once replica lag is known."
GOOD = (example(), example(_SEED, "Rebuild only the index that is torn."))
BAD = (example(_SEED, "Index rebuild"), example(_SEED, "This session is about the index rebuild."))

_FILLERS = frozenset(
    {"about", "capsule", "continu", "continue", "discuss", "session", "state", "summary", "topic", "work"}
)  # fmt: skip


def check(subject: Subject) -> Iterator[Finding]:
    """SEED, where the topic and the domain hold all its words."""
    capsule = subject.capsule
    if capsule is None:
        return
    meta = capsule.meta
    said = content(capsule.seed.text)
    if said - _FILLERS - content(meta.topic) - content(meta.domain):
        return
    if span := capsule.seed.field_span("text"):
        yield Finding(
            span,
            "SEED repeats the topic and adds nothing",
            "write the one insight that orients a reader who sees nothing else",
        )
