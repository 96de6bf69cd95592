"""A chain's origin is no later than the capsule.

`origin` is when the first session of the chain ended, META's timestamp when
this one did. A later origin is a clock that was wrong or a line that was
written by hand, and a reader that weighs age by it weighs wrong.

Set the timestamp right that is wrong; `pcsf stitch` writes origin itself.

Misses: an origin that is too early.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "V005"
NAME = "origin-after-meta"
SEVERITY = Severity.WARNING
SECTION = "2.10b"
SINCE = "0.1.0"
NEEDS = "origin"
GOOD = (example(), example("hops=1 origin=2026-05-01T08:00Z", "hops=0 origin=2026-05-04T09:30Z"))
BAD = (
    example("origin=2026-05-01", "origin=2026-05-05"),
    example("origin=2026-05-01T08:00Z", "origin=2026-05-04T09:31Z"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """``origin`` against META."""
    capsule = subject.capsule
    if capsule is None or capsule.chain is None:
        return
    # The one form of a timestamp sorts as text.
    if capsule.chain.origin > capsule.meta.timestamp and (
        span := capsule.chain.field_span("origin")
    ):
        yield Finding(
            span,
            f"the origin is later than the capsule's own time, {capsule.meta.timestamp}",
            "set the wrong one of the two timestamps right",
        )
