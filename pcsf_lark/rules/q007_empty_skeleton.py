"""A DEEP capsule has at least one L1 entry.

DEEP says that much was decided and found; a capsule that then names no
decision, constraint or discovery hands over a mood, not a state.

Write the decisions that a reader could not infer, or say SURFACE or WORKING.

Misses: entries that are there and say nothing; Q008 and Q012 see some of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q007"
NAME = "empty-skeleton"
SEVERITY = Severity.WARNING
SECTION = "2.4-2.5"
SINCE = "0.1.0"
NEEDS = "empty"
_ENTRY = "CHOICE | build the index online | writes must not stop\n"
GOOD = (example("WORKING", "DEEP"), example(_ENTRY, ""))
BAD = (
    example(
        "WORKING | 2026-05-04T09:30Z\nCHAIN: hops=1 origin=2026-05-01T08:00Z\n\n"
        "L1:SKELETON\n" + _ENTRY,
        "DEEP | 2026-05-04T09:30Z\n\nL1:SKELETON\n",
    ),
)


def check(subject: Subject) -> Iterator[Finding]:
    """The depth, where L1 is empty."""
    capsule = subject.capsule
    if capsule is None or capsule.skeleton or capsule.meta.depth != "DEEP":
        return
    if span := capsule.meta.field_span("depth"):
        yield Finding(
            span,
            "the depth is DEEP, but L1 has no entry",
            "write what was decided or found into L1, or say WORKING or SURFACE",
        )
