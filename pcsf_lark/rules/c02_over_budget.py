"""The whole file is at most 1,200 bytes, frame lines and final LF included.

The budget is what makes a capsule portable: it fits into any prompt beside any
task, and its size forces the choice of what cannot be derived. Nothing is cut
silently: an over-long capsule is refused.

Drop what a capable reader could infer, low-priority loops first. A file of
more than 65,536 bytes is not read, and gets this code alone.

Misses: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.errors import PcsfError
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LIMIT, READ_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "C2"
NAME = "over-budget"
SEVERITY = Severity.ERROR
SECTION = "2.1"
SINCE = "0.1.0"
GOOD = (example(),)
_LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH\n"
BAD = (
    example("writes must not stop", "writes must not stop, " * 40 + "ever"),
    example(_LOOP, _LOOP + f"PROMISE | {'tell every team, ' * 20}and more | LOW\n" * 3),
)

_MEND = (
    "shorten or drop entries, what a reader could infer first: "
    "L5 LOW, later L4 and L3, L5 MED, later L2"
)


def check(subject: Subject) -> Iterator[Finding]:
    """The bytes beyond the limit."""
    source = subject.source
    if source.oversize:
        found = f"more than {READ_LIMIT:,}" if source.size is None else f"{source.size:,}"
        yield Finding(source.span(0), f"{found} bytes; the limit is {LIMIT:,}", _MEND)
    elif len(source.data) > LIMIT:
        size = len(source.data)
        yield Finding(
            source.span(LIMIT, size),
            f"{size:,} bytes, {size - LIMIT:,} over the limit of {LIMIT:,}",
            _MEND,
            _fitted(subject),
        )


def _fitted(subject: Subject) -> Fix | None:
    """What `pcsf fit` would leave, where that is enough."""
    if subject.capsule is None or subject.profile == "abnf":
        return None
    from pcsf_lark.passes.fit import fit  # noqa: PLC0415 - for over-long capsules alone

    try:
        text = fit(subject.capsule).text.decode("latin-1")
    except PcsfError:
        return None
    whole = subject.source.span(0, len(subject.source.data))
    return Fix("drop entries until it fits, as `pcsf fit` does", (Edit(whole, text),), safe=False)
