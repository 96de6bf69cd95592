"""No layer takes more than 60 % of a capsule.

Each layer holds another kind of state, and the budget is one. A capsule of
which one layer eats most has usually copied a transcript there and left out
what was ruled out, held or promised.

Condense that layer, or fill the others.

Misses: small capsules, under 600 bytes, in which nothing is crowded out, and a
balance that is right in bytes and wrong in substance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q017"
NAME = "unbalanced-layers"
SEVERITY = Severity.WARNING
SECTION = "2.1"
SINCE = "0.1.0"
NEEDS = "unbalanced"
_OPTION = "dump and reload | four hours of downtime | size the window first\n"
GOOD = (example(), example(_OPTION, _OPTION + "".join(f"plan {n} | no | yes\n" for n in range(6))))
BAD = (example("size the window first", "size the window first" + " and then again" * 44),)

_SHARE, _LEAST = 60, 600


def check(subject: Subject) -> Iterator[Finding]:
    """The layer whose entries take more than their share of the file."""
    capsule, size = subject.capsule, len(subject.source.data)
    if capsule is None or size < _LEAST:
        return
    for layer, entries in capsule.layers:
        if not entries or not (first := entries[0].span) or not (last := entries[-1].span):
            continue
        taken = last.end + 1 - first.offset
        if taken * 100 > size * _SHARE:
            yield Finding(
                first,
                f"{layer} takes {taken * 100 // size} % of the capsule",
                f"condense {layer}, or write into the other layers what is missing there",
            )
