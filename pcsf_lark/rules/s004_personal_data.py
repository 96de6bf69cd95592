"""No personal data that a capsule has no use for: e-mail addresses, phone numbers.

A capsule travels further than the talk it came from, and nobody can call it
back. L4 describes a working relationship, not a person.

Write the role (`the on-call`, `the landlord's agent`), or where the contact
is kept.

Misses: names, addresses that are spelt out (`jo at example dot org`), postal
addresses, numbers of identity cards and accounts, and phone numbers written
without a leading + or the usual grouping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._contacts import find
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "S004"
NAME = "personal-data"
SEVERITY = Severity.WARNING
SECTION = "1"
SINCE = "0.1.0"
NEEDS = "contact"
_FACT = "writes must not stop"
GOOD = (
    example(),
    example(_FACT, "clone git@github.com:acme/app by hand"),
    example(_FACT, "setval with +1000000 headroom at 2026-05-04 09:30"),
)
BAD = (
    example(_FACT, "ask jo.doe@example.org first"),
    example(_FACT, "call +49 170 5550123 first"),
    example(_FACT, "call (555) 010-4477 first"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each e-mail address and phone number."""
    for start, end, what in find(subject.source.text):
        yield Finding(
            subject.source.span(start, end),
            f"this looks like {what}",
            "remove it: write the role, or where the contact is kept",
        )
