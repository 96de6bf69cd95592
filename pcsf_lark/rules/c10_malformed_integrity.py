"""INTEGRITY, if there, stands below META and CHAIN, once, in its exact form.

The line is `INTEGRITY: crc32=` with eight lower-case hex digits, ` chars=` and
the file's length in digits. A stamp that cannot be read protects nothing.

Let a tool write it.

Misses: wrong values in the right form, which are C11's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules._header import exact, reorder
from pcsf_lark.rules._rule import STAMP, Finding, example
from pcsf_lark.syntax.explanation import explain, integrity_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "C10"
NAME = "malformed-integrity"
SEVERITY = Severity.ERROR
SECTION = "2.10a"
SINCE = "0.1.0"
_CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"
GOOD = (example(), example(_CHAIN, _CHAIN + STAMP))
BAD = (
    example(_CHAIN, _CHAIN + STAMP.upper().replace("CRC32", "crc32").replace("CHARS", "chars")),
    example(_CHAIN, _CHAIN + STAMP.replace("crc32=", "crc32=0")),
    example(_CHAIN, _CHAIN + STAMP.replace("chars=", "chars=about ")),
    example(_CHAIN, _CHAIN + STAMP.lower()),
    example(_CHAIN, _CHAIN + STAMP * 2),
    example("META:", STAMP + "META:"),
)

_FORM = "INTEGRITY: crc32=<8 lower-case hex digits> chars=<number>"


def check(subject: Subject) -> Iterator[Finding]:
    """The line's count, place and form."""
    outline = subject.outline
    meta = outline.kinds.find(Kind.META)
    for count, line in enumerate(outline.lines(Kind.INTEGRITY)):
        if line.dirty:
            continue
        if count:
            yield Finding(
                line.span, "a second INTEGRITY line", "keep one stamp, or write a new one"
            )
        elif line.index < meta:
            yield Finding(
                line.span,
                "INTEGRITY stands before META",
                "put the header lines in the order META, CHAIN, INTEGRITY",
                reorder(outline),
            )
        elif integrity_node(line, subject.profile) is None:
            expected = explain("integrity", line, subject.profile)
            hint = f": {expected.message}" if expected else ""
            yield Finding(
                expected.span if expected else line.span,
                f"the INTEGRITY line is malformed{hint}",
                f"write `{_FORM}`, or remove the line",
                exact(line),
            )
