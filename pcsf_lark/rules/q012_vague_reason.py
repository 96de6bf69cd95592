"""A reason says something.

"Because it is better" holds of every choice ever made. A reader can neither
check it nor tell when it no longer holds, so that the entry carries the
decision and loses what could not be derived.

Write what it rests on: a figure, a constraint, a failure, a person's word.

Misses: a reason that is concrete and wrong, or concrete and beside the point.
Only fields made of vague English words alone are seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._prose import VAGUE, words
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Node
    from pcsf_lark.rules._rule import Subject

CODE = "Q012"
NAME = "vague-reason"
SEVERITY = Severity.WARNING
SECTION = "2.5-2.6"
SINCE = "0.1.0"
NEEDS = "vague"
GOOD = (example(), example("writes must not stop", "it is the better one under load"))
BAD = (
    example("writes must not stop", "because it is better"),
    example("four hours of downtime", "as discussed"),
    example("size the window first", "N/A"),
)

_FIELDS = ("reason", "lesson")


def check(subject: Subject) -> Iterator[Finding]:
    """Each reason and lesson made of vague words alone."""
    if subject.capsule is None:
        return
    for entry in (*subject.capsule.skeleton, *subject.capsule.negative):
        yield from _entry(entry)


def _entry(entry: Node) -> Iterator[Finding]:
    for name in _FIELDS:
        if name not in entry.FIELDS or not VAGUE.issuperset(words(getattr(entry, name))):
            continue
        if span := entry.field_span(name):
            yield Finding(
                span,
                f"the {name} says nothing: it would fit any entry",
                "write what it rests on: a figure, a constraint, a failure, who decided",
            )
