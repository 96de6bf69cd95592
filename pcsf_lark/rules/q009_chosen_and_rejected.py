"""Nothing is both chosen in L1 and rejected in L2.

A reader of such a capsule must stop and ask which of the two is current; one
that does not ask will act on the wrong one half of the time.

Remove the entry that no longer holds, or say in both what the difference is.

Misses: the same thing under other words, and contradictions between other
layers; what a choice names after `over`, `instead of`, `before`, `not` and the
like counts as the alternative, not as the choice, and an option that joins
something to the choice (`... and per tenant`) as another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._choices import chosen
from pcsf_lark.rules._prose import content, words
from pcsf_lark.rules._rule import Finding, example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q009"
NAME = "chosen-and-rejected"
SEVERITY = Severity.WARNING
SECTION = "6"
SINCE = "0.1.0"
NEEDS = "rejected"
GOOD = (
    example(),
    example("build the index online", "build online over dump and reload"),
    example("dump and reload", "build the index offline"),
    example("dump and reload", "build the index online and a copy"),
)
BAD = (
    example("dump and reload", "online index build"),
    example("dump and reload", "Building the index online"),
)

_JOINS = frozenset({"and", "both", "only", "per", "plus", "with"})
_NEGATIONS = frozenset({"no", "not", "never", "without", "non"})


def check(subject: Subject) -> Iterator[Finding]:
    """Each rejected option that is a choice's own fact."""
    capsule = subject.capsule
    if capsule is None or not capsule.negative:
        return
    choices = [(e, e.fact) for e in capsule.skeleton if e.type == "CHOICE"]
    options = [(entry, content(entry.option)) for entry in capsule.negative]
    for choice, fact in choices:
        picked = chosen(fact)
        for entry, option in options:
            span, at = entry.field_span("option"), choice.span
            if _same(picked, option) and not _adds(entry.option, fact) and span and at:
                yield Finding(
                    span,
                    f"this option is rejected here and chosen in line {at.line}",
                    "remove the one that no longer holds, or name what differs",
                )


def _adds(option: str, fact: str) -> bool:
    """Whether an option joins something to what was chosen, and so is another one."""
    return not (_JOINS & set(words(option))) <= set(words(fact))


def _same(picked: frozenset[str], option: frozenset[str]) -> bool:
    if picked & _NEGATIONS != option & _NEGATIONS:
        return False
    both = picked & option
    return bool(both) and (picked == option or (len(both) > 1 and both in (picked, option)))
