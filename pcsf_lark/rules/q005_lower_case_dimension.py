"""L4 dimensions are upper case.

The format takes any letters, but every example and the five recommended names
are upper case, and `style` beside `STYLE` is another dimension to a stitch.

Write the dimension in capitals. The fix is safe for a recommended name that
the capsule does not have yet, since it then means the same to every reader;
for other names it is unsafe.

Misses: nothing: every dimension is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q005"
NAME = "lower-case-dimension"
SEVERITY = Severity.WARNING
SECTION = "2.8"
SINCE = "0.1.0"
NEEDS = "dimension"
GOOD = (example(), example("STYLE:", "MODE_AT_NIGHT:"))
BAD = (example("STYLE:", "style:"), example("STYLE:", "Trust:"), example("STYLE:", "Mood:"))


def check(subject: Subject) -> Iterator[Finding]:
    """Each dimension with a small letter."""
    relation = subject.capsule.relation if subject.capsule else ()
    for entry in relation:
        name = entry.dimension
        upper = name.upper()
        if name != upper and (span := entry.field_span("dimension")):
            taken = any(
                other.dimension.upper() == upper for other in relation if other is not entry
            )
            yield Finding(
                span,
                f"the dimension {name} is not in capitals",
                f"write {upper}",
                Fix(f"write {upper}", (Edit(span, upper),), safe=upper in DIMENSIONS and not taken)
                if not taken
                else None,
            )
