"""The numbers of CHAIN and INTEGRITY have no leading zeros.

`hops=007` and `hops=7` are the same count and two texts; one spelling keeps
equal capsules equal byte for byte.

Write the number without them; `pcsf fmt` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Node
    from pcsf_lark.rules._rule import Subject

CODE = "V002"
NAME = "leading-zeros"
SEVERITY = Severity.WARNING
SECTION = "2.10a-2.10b"
GOOD = (example(), example("hops=1", "hops=10"))
BAD = (example("hops=1", "hops=007"),)


def check(subject: Subject) -> Iterator[Finding]:
    """``hops`` and ``chars``."""
    for node, name in ((subject.chain, "hops"), (subject.integrity, "chars")):
        if node is not None:
            yield from _number(node, name)


def _number(node: Node, name: str) -> Iterator[Finding]:
    digits = getattr(node, name)
    plain = canonical_integer(digits)
    if digits == plain or (span := node.field_span(name)) is None:
        return
    # Shortening a stamped file changes its length, so that no edit is offered.
    fix = Fix(f"write {plain}", (Edit(span, plain),), safe=True) if name == "hops" else None
    yield Finding(span, f"{name}={digits} has leading zeros", f"write {name}={plain}", fix)
