"""The version token is no older than the lines under it.

INTEGRITY came with v1.1 and CHAIN with v1.2. Under an older token a strict
older reader may refuse the file, and one that ignores unknown lines loses them.

Write the token of the newest line: `===PCSF:v1.1===` with INTEGRITY,
`===PCSF:v1.2===` with CHAIN. No tool does it silently; a stitch writes v1.2.

Misses: a token that is newer than it need be, which is no fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Edit, Fix, Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "V004"
NAME = "newer-than-token"
SEVERITY = Severity.WARNING
SECTION = "4"
SINCE = "0.1.0"
NEEDS = "older"
_CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"
GOOD = (example(), example("v1.2===", "v1.2==="))
BAD = (example("v1.2===", "v1==="), example("v1.2===", "v1.1==="))


def check(subject: Subject) -> Iterator[Finding]:
    """CHAIN and INTEGRITY against the token."""
    if subject.version is None:
        return
    for name, node, since in (
        ("CHAIN", subject.chain, "v1.2"),
        ("INTEGRITY", subject.integrity, "v1.1"),
    ):
        if node is None or VERSIONS.index(subject.version) >= VERSIONS.index(since):
            continue
        if span := node.span:
            yield Finding(
                span,
                f"{name} came with {since}; the token says {subject.version}",
                f"write ===PCSF:{since}=== as the first line",
                _newer(subject, since),
            )


def _newer(subject: Subject, since: str) -> Fix | None:
    if subject.capsule is None:
        return None
    token = f"===PCSF:{since}==="
    edit = Edit(subject.source.line_span(0), token)
    # Unsafe: the version says what a reader must know.
    return Fix(f"write {token}", (edit,), safe=False)
