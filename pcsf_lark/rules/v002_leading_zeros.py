"""The numbers of CHAIN and INTEGRITY have no leading zeros.

`hops=007` and `hops=7` are the same count and two texts; one spelling keeps
equal capsules equal byte for byte.

Write the number without them; `pcsf fmt` does.

Misses: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
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
SINCE = "0.1.0"
NEEDS = "zeros"
GOOD = (example(), example("hops=1", "hops=10"))
BAD = (example("hops=1", "hops=007"),)


def check(subject: Subject) -> Iterator[Finding]:
    """``hops`` and ``chars``."""
    for node, name in ((subject.chain, "hops"), (subject.integrity, "chars")):
        if node is not None:
            yield from _number(subject, node, name)


def _number(subject: Subject, node: Node, name: str) -> Iterator[Finding]:
    digits = getattr(node, name)
    plain = canonical_integer(digits)
    if digits == plain or (span := node.field_span(name)) is None:
        return
    if name == "hops":
        fix: Fix | None = Fix(f"write {plain}", (Edit(span, plain),), safe=True)
    else:
        fix = _right_length(subject.source.data, node)
    yield Finding(span, f"{name}={digits} has leading zeros", f"write {name}={plain}", fix)


def _right_length(data: bytes, stamp: Node) -> Fix | None:
    """The whole line anew: shortening a file changes its length. A stale stamp stays."""
    if (span := stamp.span) is None:
        return None
    before, after = data[: span.offset], data[span.end + 1 :]
    line = integrity.write(before + after).decode().rstrip("\n")
    right = (integrity.checksum(before, after), str(len(data)))
    if (stamp.values[0], canonical_integer(stamp.values[1])) != right:
        return None
    return Fix(f"write `{line}`", (Edit(span, line),), safe=True)
