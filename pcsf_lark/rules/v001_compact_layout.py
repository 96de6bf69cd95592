"""The blocks are separated by blank lines.

The specification's grammar and its figure define two layouts that share no
file. Both are read; the spaced one of the figure is what people see in every
example and what tools write.

Let `pcsf fmt` write the spaced layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import BASE, Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "V001"
NAME = "compact-layout"
SEVERITY = Severity.WARNING
SECTION = "2.2"
_BODY = BASE[BASE.index("L1:") :]
GOOD = (example(), example(_BODY, _BODY.replace("\n\n", "\n"), profile="abnf"))
BAD = (example(_BODY, _BODY.replace("\n\n", "\n")),)


def check(subject: Subject) -> Iterator[Finding]:
    """The file's layout, told at its first seam; profile interop only."""
    if subject.layout != "compact" or subject.profile != "interop":
        return
    at = subject.source.text.upper().find("\nL2:") + 1
    yield Finding(
        subject.source.line_span(subject.source.index(at)),
        "the compact layout: no blank lines between the blocks",
        "write the spaced layout; `pcsf fmt` does",
    )
