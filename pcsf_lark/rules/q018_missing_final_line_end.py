"""The file ends with a line end.

Zero or one is legal, and one is what every tool writes: without it a terminal,
a diff and `cat` of two files run the last line into the next.

End the file with one LF; `pcsf fmt` does.

Misses: nothing; more than one LF is C3's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q018"
NAME = "missing-final-line-end"
SEVERITY = Severity.INFO
SECTION = "2.11"
SINCE = "0.1.0"
NEEDS = "no-end"
GOOD = (example(),)
BAD = (example("===END===\n", "===END==="),)


def check(subject: Subject) -> Iterator[Finding]:
    """The end of a file whose last line is the closing one."""
    source = subject.source
    if source.data.endswith(b"===END==="):
        at = source.span(len(source.data))
        yield Finding(
            at,
            "no line end after ===END===",
            "end the file with one LF",
            Fix("add the line end", (Edit(at, "\n"),), safe=True),
        )
