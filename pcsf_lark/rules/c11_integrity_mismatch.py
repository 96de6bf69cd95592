"""The INTEGRITY line's CRC-32 and length are those of the file.

A wrong length means that the file was cut or added to, a wrong checksum that
it was changed. The CRC is taken over the bytes without the INTEGRITY line and
its LF; `chars` is the length of the file as it is. It detects corruption; it
is no proof of who wrote the file.

Get the capsule again from where it came. If you changed it on purpose, stamp
it anew: `pcsf fmt --restamp`.

Misses: a change by somebody who computed a new stamp, and one accident in four
thousand million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.diagnostics import Severity
from pcsf_lark.outline import Kind
from pcsf_lark.rules import c10_malformed_integrity
from pcsf_lark.rules._rule import STAMP, Finding, example
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "C11"
NAME = "integrity-mismatch"
SEVERITY = Severity.ERROR
SECTION = "2.10a"
SINCE = "0.1.0"
_CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"
GOOD = (example(), example(_CHAIN, _CHAIN + STAMP))
BAD = (
    example(_CHAIN, _CHAIN + STAMP[:17] + "00000000" + STAMP[25:]),
    example(_CHAIN, _CHAIN + STAMP.replace("chars=", "chars=1")),
)

_MEND = (
    "get the capsule again from its source; if you changed it on purpose, "
    "stamp it anew with `pcsf fmt --restamp`"
)


def check(subject: Subject) -> Iterator[Finding]:
    """Both values, where C10 holds."""
    line = subject.outline.first(Kind.INTEGRITY)
    stamp = subject.integrity
    if line is None or stamp is None or line.dirty or any(c10_malformed_integrity.check(subject)):
        return
    data = subject.source.data
    if canonical_integer(stamp.chars) != str(len(data)):
        yield Finding(
            stamp.field_span("chars") or line.span,
            f"chars={stamp.chars}, but the file has {len(data):,} bytes: it was cut or added to",
            _MEND,
        )
    found = integrity.checksum(data[: line.span.offset], data[line.span.end + 1 :])
    if stamp.crc32 != found:
        yield Finding(
            stamp.field_span("crc32") or line.span,
            f"crc32={stamp.crc32}, but the text has {found}: it was changed",
            _MEND,
        )
