"""No layer says the same thing twice, word for word.

A repeated entry spends bytes of the budget and says nothing; a stitch would
collapse it.

Remove the copy.

Misses: the same thought in other words; Q004 sees other spellings of a key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._edits import remove_line
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._threads import repeats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q002"
NAME = "duplicate-entry"
SEVERITY = Severity.WARNING
SECTION = "7.1"
SINCE = "0.1.0"
NEEDS = "repeats"
_OPTION = "dump and reload | four hours of downtime | size the window first\n"
GOOD = (example(), example(_OPTION, _OPTION + _OPTION.replace("first", "twice")))
BAD = (
    example(_OPTION, _OPTION * 2),
    example("STYLE: short answers, numbers first\n", "STYLE: short answers, numbers first\n" * 2),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each later copy of an entry."""
    if subject.capsule is None:
        return
    for layer, first, later in repeats(subject.capsule):
        if first == later and later.span and first.span:
            yield Finding(
                later.span,
                f"this {layer} entry repeats line {first.span.line}",
                "remove one of the two",
                remove_line(subject.source, later, "remove the copy"),
            )
