"""Loops stand by priority: HIGH, then MED, then LOW.

A reader resumes loops in the order of the file, so that a low one above a high
one sends it the wrong way first. Trimming and stitching go by priority too,
and what people see should agree with it.

Move the urgent loops up; loops of one priority keep their order. The fix does
that, and is unsafe, since the order may have been meant.

Misses: a priority that is wrong in itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._edits import reorder
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q001"
NAME = "unsorted-loops"
SEVERITY = Severity.WARNING
SECTION = "2.9"
SINCE = "0.1.0"
NEEDS = "unsorted"
_LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH\n"
GOOD = (example(), example(_LOOP, _LOOP + "PROMISE | send the plan | HIGH\n"))
BAD = (
    example(_LOOP, "PROMISE | send the plan | LOW\n" + _LOOP),
    example(_LOOP, "PROMISE | send the plan | MED\n" * 2 + _LOOP),
)


def check(subject: Subject) -> Iterator[Finding]:
    """The first loop that stands below a less urgent one."""
    loops = subject.capsule.loops if subject.capsule else ()
    ranks = [PRIORITIES.index(loop.priority) for loop in loops]
    order = sorted(ranks)
    if ranks == order:
        return
    at = next(i for i in range(1, len(ranks)) if ranks[i] < ranks[i - 1])
    late = loops[at]
    if span := late.field_span("priority"):
        yield Finding(
            span,
            f"a {late.priority} loop stands below a {loops[at - 1].priority} one",
            "sort the loops by priority, HIGH first: a reader resumes them in this order",
            reorder(
                loops,
                [loops[i] for i in sorted(range(len(ranks)), key=ranks.__getitem__)],
                "sort the loops",
            ),
        )
