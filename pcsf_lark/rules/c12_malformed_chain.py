"""CHAIN, if there, stands right below META, once, with a count and a real origin.

The line is `CHAIN: hops=<number> origin=<timestamp>`: how many stitches lie
behind the capsule and when the first session of its chain ended. A reader
weighs a chained capsule as accumulated prior.

Let `pcsf stitch` write it. INTEGRITY comes after it, never before.

Misses: a count or an origin that is well-formed and untrue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._header import exact, reorder
from pcsf_lark.rules._rule import STAMP, Finding, example
from pcsf_lark.rules._values import timestamp_fault
from pcsf_lark.syntax.explanation import chain_node, explain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.outline import Line
    from pcsf_lark.rules._rule import Subject

CODE = "C12"
NAME = "malformed-chain"
SEVERITY = Severity.ERROR
SECTION = "2.10b"
SINCE = "0.1.0"
_CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"
GOOD = (example(), example(_CHAIN, ""))
BAD = (
    example("hops=1", "hops=one"),
    example("hops=1", "Hops=1"),
    example("CHAIN:", "chain:"),
    example("origin=2026-05-01T08:00Z", "origin=2026-05-01"),
    example("origin=2026-05-01T08:00Z", "origin=2026-05-32T08:00Z"),
    example(_CHAIN, _CHAIN + _CHAIN),
    example(_CHAIN, STAMP + _CHAIN),
)

_FORM = "CHAIN: hops=<number> origin=YYYY-MM-DDThh:mmZ"


def check(subject: Subject) -> Iterator[Finding]:
    """The line's count, place, form and origin."""
    outline = subject.outline
    meta = outline.kinds.find(Kind.META)
    stamp = outline.first(Kind.INTEGRITY)
    for count, line in enumerate(outline.lines(Kind.CHAIN)):
        if line.dirty:
            continue
        if count:
            yield Finding(line.span, "a second CHAIN line", "keep one: a chain has one length")
        elif line.index < meta:
            yield Finding(
                line.span,
                "CHAIN stands before META",
                "put the header lines in the order META, CHAIN, INTEGRITY",
                reorder(outline),
            )
        elif stamp and stamp.index < line.index:
            yield Finding(
                line.span,
                "CHAIN stands after INTEGRITY",
                "put the header lines in the order META, CHAIN, INTEGRITY",
                reorder(outline),
            )
        else:
            yield from _form(subject, line)


def _form(subject: Subject, line: Line) -> Iterator[Finding]:
    node = chain_node(line, subject.profile)
    if node is None:
        expected = explain("chain", line, subject.profile)
        hint = f": {expected.message}" if expected else ""
        span = expected.span if expected else line.span
        yield Finding(span, f"the CHAIN line is malformed{hint}", f"write `{_FORM}`", exact(line))
    elif fault := timestamp_fault(node.origin, subject.profile):
        yield Finding(node.field_span("origin") or line.span, *fault)
