"""The blocks are separated by blank lines.

The specification's grammar and its figure define two layouts that share no
file. Both are read; the spaced one of the figure is what people see in every
example and what tools write.

Let `pcsf fmt` write the spaced layout.

Misses: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.rules._rule import BASE, Finding, example
from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "V001"
NAME = "compact-layout"
SEVERITY = Severity.WARNING
SECTION = "2.2"
SINCE = "0.1.0"
NEEDS = "compact"
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
        _spaced(subject),
    )


def _spaced(subject: Subject) -> Fix | None:
    if subject.capsule is None or (seed := subject.capsule.seed.span) is None:
        return None
    text = subject.source.text
    # No entry has a header's text, so that a line like one is one.
    places = [text.index(f"\n{layer.header}\n") + 1 for layer in LAYERS[1:]]
    edits = tuple(Edit(subject.source.span(at), "\n") for at in (*places, seed.offset))
    return Fix("separate the blocks by blank lines", edits, safe=True)
