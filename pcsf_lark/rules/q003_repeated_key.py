"""A stitch would keep every entry: no two of a layer have the same key.

A stitch tells entries apart by their key: in L1 type and fact, in L2 option
and reason, in L3 the type, in L4 the dimension, in L5 the description. Where
two share one, the later takes the earlier one's place, so that the earlier is
lost at the next hand-over.

Merge the two into one entry, or give one of them another type or dimension.

Misses: two entries that mean one thread under different keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.passes.identity import KEYS
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._threads import repeats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q003"
NAME = "repeated-key"
SEVERITY = Severity.WARNING
SECTION = "7.1"
SINCE = "0.1.0"
NEEDS = "repeats"
_STATE = "UNCERTAINTY: I never saw the replica's lag under load.\n"
_STYLE = "STYLE: short answers, numbers first\n"
_LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH\n"
GOOD = (
    example(),
    example(_STATE, _STATE + "DIRECTION: I steer toward a rehearsal.\n"),
    example(_STYLE, _STYLE * 2),
)
BAD = (
    example(_STATE, _STATE + "UNCERTAINTY: I doubt the disk figures.\n"),
    example(_STYLE, _STYLE + "STYLE: no tables\n"),
    example(_LOOP, _LOOP + "HYPOTHESIS_UNTESTED | measure replica lag | LOW\n"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each later entry that shares an earlier one's key and differs from it."""
    if subject.capsule is None:
        return
    for layer, first, later in repeats(subject.capsule):
        key = KEYS[layer]
        span = later.field_span(key[-1])
        if first != later and span and first.span:
            named = getattr(later, key[0])
            what = f"{layer} has {named} twice" if len(named) < 25 and len(key) == 1 else ""
            yield Finding(
                span,
                f"{what or f'this {layer} entry has the key of another one'}: line "
                f"{first.span.line} would be lost in a stitch",
                f"merge the two entries into one, or change the {' or the '.join(key)} of one",
            )
