"""A CHAIN line counts at least one hop.

A capsule that was never stitched has no CHAIN line; the first stitch writes
`hops=1`. `hops=0` is read, and is a sign of a tool that misunderstood it.

Remove the CHAIN line of an unstitched capsule.

Misses: a count that should be another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._edits import remove_line
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "V003"
NAME = "zero-hops"
SEVERITY = Severity.WARNING
SECTION = "2.10b"
SINCE = "0.1.0"
NEEDS = "zeros"
GOOD = (example(), example("hops=1", "hops=10"))
BAD = (example("hops=1", "hops=0"), example("hops=1", "hops=00"))


def check(subject: Subject) -> Iterator[Finding]:
    """``hops``."""
    chain = subject.chain
    if chain is None or canonical_integer(chain.hops) != "0":
        return
    span = chain.field_span("hops")
    if span:
        yield Finding(
            span,
            "hops=0: no stitch lies behind this capsule",
            "remove the CHAIN line",
            remove_line(subject.source, chain, "remove the CHAIN line"),
        )
