"""Keys that mean one thread are spelt alike.

A stitch compares keys letter by letter: `Vocab` and `VOCAB`, or `measure lag`
and `Measure  lag`, are two threads to it, and both stay for ever.

Write the key the same way each time, and merge what then is one thread.

Misses: synonyms, other word order and typing errors; only case, spaces and
punctuation are looked through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.passes.identity import KEYS
from pcsf_lark.rules._prose import bare
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.rules._threads import threads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules._rule import Subject

CODE = "Q004"
NAME = "near-duplicate-key"
SEVERITY = Severity.WARNING
SECTION = "7.1"
SINCE = "0.1.0"
NEEDS = "repeats"
_STYLE = "STYLE: short answers, numbers first\n"
_LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH\n"
GOOD = (example(), example(_STYLE, _STYLE + "TRUST: asks before writes\n"))
BAD = (
    example(_STYLE, _STYLE + "Style: no tables\n"),
    example(_LOOP, _LOOP + "PROMISE | Measure replica-lag. | HIGH\n"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Each later entry whose key is spelt otherwise than an earlier one's."""
    if subject.capsule is None:
        return
    for layer, entries, keys in threads(subject.capsule):
        if len(keys) < 2 or layer == "L3":  # its types are exact
            continue
        plain = [bare("/".join(key)) or key[0] for key in keys]
        if len(set(plain)) == len(plain):
            continue
        first: dict[str, int] = {}
        for i, entry in enumerate(entries):
            j = first.setdefault(plain[i], i)
            span = entry.field_span(KEYS[layer][-1])
            earlier = entries[j].span
            if keys[i] != keys[j] and span and earlier:
                yield Finding(
                    span,
                    f"this key differs from that of line {earlier.line} in spelling alone",
                    "write both keys alike, and merge the two entries",
                )
