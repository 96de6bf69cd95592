"""L4 dimensions are the recommended ones where one of them fits.

STYLE, TRUST, VOCAB, MODE and BOUNDARY are what readers and other capsules
know; the list is open, but a thread kept under a name of one's own is found by
nobody and merged with nothing.

Use the recommended name whose meaning is nearest; keep your own name where
none fits, and switch this note off for it: `--ignore Q006`.

Misses: a recommended name over a state that belongs to another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._words import choice, nearest
from pcsf_lark.spec import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q006"
NAME = "unknown-dimension"
SEVERITY = Severity.INFO
SECTION = "2.8"
SINCE = "0.1.0"
NEEDS = "dimension"
GOOD = (example(), example("STYLE:", "boundary:"))
BAD = (example("STYLE:", "TONE:"), example("STYLE:", "STYL:"))


def check(subject: Subject) -> Iterator[Finding]:
    """Each dimension outside the list, in any case."""
    for entry in subject.capsule.relation if subject.capsule else ():
        name = entry.dimension
        if name.upper() in DIMENSIONS:
            continue
        if span := entry.field_span("dimension"):
            near = nearest(name, DIMENSIONS)
            yield Finding(
                span,
                f"{name} is none of the recommended dimensions",
                f"write {choice(DIMENSIONS)} where one fits" + (f"; {near}?" if near else ""),
            )
