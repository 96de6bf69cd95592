"""Each layer keeps to its cap: 12, 8, 6, 5 and 8 entries.

The caps keep one kind of state from crowding out the others and make a chain
of stitches bounded.

Drop what a reader could infer from the rest; merge entries that say the same.

Misses: nothing, as far as the headers are in their place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject
    from pcsf_lark.spec import Layer

CODE = "C6"
NAME = "too-many-entries"
SEVERITY = Severity.ERROR
SECTION = "2.5-2.9"
SINCE = "0.1.0"
_DIMENSION = "STYLE: short answers, numbers first\n"
GOOD = (example(), example(_DIMENSION, _DIMENSION + "MODE: calm\n" * 4))
BAD = (
    example(_DIMENSION, _DIMENSION + "MODE: calm\n" * 5),
    example("L2:NEGATIVE\n", "L2:NEGATIVE\n" + "a | b | c\n" * 8),
)


def _header(subject: Subject, layer: Layer) -> Line:
    """The layer's header, where each line over the cap is C1's."""
    return next(line for line in subject.outline.headers if line.layer == layer.number)


def check(subject: Subject) -> Iterator[Finding]:
    """The first entry beyond each layer's cap."""
    for layer in LAYERS:
        first = None
        count = 0
        for line in subject.outline.entries(layer):
            count += 1
            if count > layer.cap and first is None and not line.dirty:
                first = line
        over = count - layer.cap
        if over > 0:
            yield Finding(
                (first or _header(subject, layer)).span,
                f"{layer.header} has {count:,} entries; its cap is {layer.cap}",
                f"drop or merge {over:,} of them, keeping what cannot be inferred",
            )
