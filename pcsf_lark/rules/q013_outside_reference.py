"""A capsule refers to nothing that is not in it.

It is one file that must be enough by itself: the next session has neither the
conversation nor the link, and what lies behind "see above" is lost.

Say what the reference stands for in a few words. Name a file or a ticket of
the project by its own name; that is a fact, not a reference to the talk.

Misses: references without one of the known English phrases, such as `the second
idea`, and addresses without `https://` or `www.` before them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._references import find
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q013"
NAME = "outside-reference"
SEVERITY = Severity.WARNING
SECTION = "1"
SINCE = "0.1.0"
NEEDS = "outside"
GOOD = (
    example(),
    example("four hours of downtime", "four hours above the limit"),
    example("writes must not stop", "ticket OPS-14 forbids a stop"),
)
BAD = (
    example("writes must not stop", "see https://wiki.local/index-build"),
    example("writes must not stop", "see above"),
    example("measure replica lag", "send the file we discussed"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each free text with a web address or a known phrase, once."""
    if subject.capsule:
        yield from find(subject.capsule)
