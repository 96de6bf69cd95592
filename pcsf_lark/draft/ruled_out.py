"""L2: what was tried or proposed and dropped, why, and what came instead.

Laws: all three fields are quoted; the option is the proposal, the request or the command
that fell, the lesson what was done or said in its place; of two entries on one thing the
better founded stands.

    objections   the user turns a proposal down
    refusals     the assistant says that what was asked for cannot be had
    dead ends    something fails, words say why, and another path is taken
    replaced     rather than X, Y; no need for X
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pcsf_lark.draft.cues import content_words
from pcsf_lark.draft.dead_ends import dead_ends
from pcsf_lark.draft.finding import Finding
from pcsf_lark.draft.objections import objections, questioned, refusals
from pcsf_lark.draft.phrases import bare, clause
from pcsf_lark.draft.taken_up import taken_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.draft.record import Record

__all__ = ["negative"]

_RATHER: Final = re.compile(
    r"^(?:rather than|instead of)\s+(?P<option>.{6,}?),\s+(?P<reason>(?:i['\u2019]ll|i will|let['\u2019]s|we['\u2019]ll|we)\b[^\u2014:;]{6,}?)\s*[\u2014:;-]+\s+(?P<lesson>.{8,}?)[.]?\Z",
    re.IGNORECASE | re.DOTALL,
)
_NO_NEED: Final = re.compile(r"^no need (?:for|to)\s+(?P<option>.{8,}?)[.]?\Z", re.IGNORECASE)


def negative(record: Record) -> list[Finding]:
    """The findings of L2, in order, each option once."""
    found = [
        *objections(record),
        *questioned(record),
        *refusals(record),
        *dead_ends(record),
        *_replaced(record),
    ]
    found = [item for item in found if record.new(item.place) and all(item.fields)]
    found.sort(key=lambda item: item.at)
    return _once(found)


def _replaced(record: Record) -> Iterator[Finding]:
    taken = {item.at[-1]: item for item in taken_up(record)}
    for index in record.spoken("assistant"):
        for line in record.sentences(index):
            match = _RATHER.match(line.text)
            if match is not None:
                fields = (clause(match["option"]), bare(match["reason"]), bare(match["lesson"]))
                yield Finding("L2", fields, (index,), 3)
            none = _NO_NEED.match(line.text)
            if none is not None and index in taken:
                item = taken[index]
                yield Finding(
                    "L2", (bare(none["option"]), item.fields[2], item.fields[1]), item.at, 4.5
                )


def _once(found: Sequence[Finding]) -> list[Finding]:
    """The findings, of those with one option or one reason the best, then the last."""
    kept: list[Finding] = []
    for item in sorted(found, key=lambda item: (item.value, item.at), reverse=True):
        if not any(_alike(item.fields[n], other.fields[n]) for other in kept for n in (0, 1)):
            kept.append(item)
    return sorted(kept, key=lambda item: item.at)


def _alike(a: str, b: str) -> bool:
    one, two = content_words(a), content_words(b)
    return a == b or (len(one & two) * 3 >= 2 * min(len(one), len(two)) and len(one & two) >= 2)
