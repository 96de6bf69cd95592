"""The budget is not nearly spent: the capsule stays under 1,150 bytes.

What is written in the last fifty bytes leaves no room for a stamp (about 37
bytes), a CHAIN line (about 38) or the next session's news, so that the next
tool must drop an entry.

Shorten entries, or drop what a reader could infer; `budget` in the
configuration sets another mark.

Misses: nothing; a capsule over 1,200 bytes is C2's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q016"
NAME = "nearly-spent-budget"
SEVERITY = Severity.WARNING
SECTION = "2.1"
SINCE = "0.1.0"
NEEDS = "spent"
_FACT = "writes must not stop"
GOOD = (example(), example(_FACT, _FACT + ", ever" * 100))
BAD = (example(_FACT, _FACT + ", ever" * 108),)


def check(subject: Subject) -> Iterator[Finding]:
    """The bytes beyond the mark."""
    source = subject.source
    size = len(source.data)
    if subject.budget <= size <= LIMIT:
        left = LIMIT - size
        yield Finding(
            source.span(min(subject.budget, size - 1), size),
            f"{size:,} of {LIMIT:,} bytes are spent, {left} left",
            f"shorten or drop {size - subject.budget + 1} bytes, what a reader could infer first",
        )
