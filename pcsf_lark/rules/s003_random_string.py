"""No long random string stands in a capsule.

A string that no person would type is a key until it is known to be none; and
where it is none, a checksum or an identifier, a reader can do little with it
and the budget is spent.

Remove it, or name what it identifies.

Misses: keys shorter than 20 characters, keys of letters alone, and hex digits
in the lengths of a commit, an MD5, a SHA-256 or a UUID.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "S003"
NAME = "random-string"
SEVERITY = Severity.WARNING
SECTION = "1"
SINCE = "0.1.0"
NEEDS = "long-word"
_FACT = "writes must not stop"
GOOD = (
    example(),
    example(_FACT, "commit 3f786850e387550fdab836ed7e6dc881de23001b broke it"),
    example(_FACT, "tests/corpus/valid/realistic/data-warehouse-2.pcsf is slow"),
)
BAD = (example(_FACT, "it is Zk9sQ2xv" + "dHJ3N2pYcTFNbThkVQ"),)


def check(subject: Subject) -> Iterator[Finding]:
    """Each stretch too random for a word."""
    for secret in subject.secrets:
        if secret.kind == "random":
            yield Finding(
                secret.span,
                f"this looks like {secret.what}",
                "remove it if it is a key; else name what it identifies",
            )
