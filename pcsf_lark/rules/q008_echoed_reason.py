"""An L1 reason says more than its fact.

The third field is why: the causal link that cannot be derived. A reason made
of the fact's own words tells a reader nothing that the fact had not told.

Write what made it so: the constraint, the measurement, the person who decided.

Misses: a reason that repeats the fact in other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._prose import content
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q008"
NAME = "echoed-reason"
SEVERITY = Severity.WARNING
SECTION = "2.5"
SINCE = "0.1.0"
NEEDS = "echo"
GOOD = (example(), example("writes must not stop", "the index build must not stop writes"))
BAD = (
    example("writes must not stop", "build the index online"),
    example("writes must not stop", "We are building the index online."),
    example("writes must not stop", "because we decided to build the index online"),
)

#: A reason of this many words may have one word of its own and still be an echo.
_LONG = 6


def check(subject: Subject) -> Iterator[Finding]:
    """Each reason whose words its fact holds."""
    for entry in subject.capsule.skeleton if subject.capsule else ():
        reason = content(entry.reason)
        if not reason:
            continue
        own = len(reason - content(entry.fact))
        if own > (len(reason) >= _LONG):
            continue
        if span := entry.field_span("reason"):
            yield Finding(
                span,
                "the reason repeats the fact",
                "write why it is so: what a reader could not infer from the fact",
            )
