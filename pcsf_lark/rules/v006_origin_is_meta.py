"""A stitched capsule is younger than its chain's origin.

With one hop or more behind it, the first session lies in the past: an origin
equal to META's timestamp says that the line was made up, or that META was
copied from the old capsule.

Take META's timestamp from the latest session; `pcsf stitch` does.

Misses: chains whose sessions ended within one minute, which look the same and
are right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "V006"
NAME = "origin-is-meta"
SEVERITY = Severity.WARNING
SECTION = "2.10b"
SINCE = "0.1.0"
NEEDS = "origin"
GOOD = (example(), example("hops=1 origin=2026-05-01T08:00Z", "hops=0 origin=2026-05-04T09:30Z"))
BAD = (example("origin=2026-05-01T08:00Z", "origin=2026-05-04T09:30Z"),)


def check(subject: Subject) -> Iterator[Finding]:
    """``origin`` against META, where ``hops`` is at least 1."""
    capsule = subject.capsule
    if capsule is None or capsule.chain is None or capsule.chain.origin != capsule.meta.timestamp:
        return
    hops = canonical_integer(capsule.chain.hops)
    if hops != "0" and (span := capsule.chain.field_span("origin")):
        yield Finding(
            span,
            f"hops={hops}, yet the origin is the capsule's own time",
            "write the time of the latest session into META, and that of the first into origin",
        )
