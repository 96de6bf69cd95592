"""The CRP-Relay-* response headers: emitted and parsed (S30 §10, R43-R45).

Names are case-insensitive, ids in values are not. The grammar is stricter than
that of HTTP structured fields (two decimals, `repaired` once) and wider (an id
may begin with a digit), so a generic parser cannot decide it; everything emitted
for ids that begin with a letter is a structured field all the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from cso import graph, model
from cso.check import is_id
from cso.errors import HeaderError
from cso.model import CognitiveStateObject, RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cso.preserve import Preservation

__all__ = [
    "Header",
    "PreservationValue",
    "emit_preservation",
    "parse_header",
    "parse_headers",
    "relay_headers",
    "score_text",
    "stripped",
]

PREFIX = "crp-relay-"


@frozen
class Header:
    """One header field; `str()` is its line.

    Attributes:
        name: Such as `CRP-Relay-Preservation`.
        value: Its value as it is sent.
    """

    name: str
    value: str

    def __str__(self) -> str:
        """Write `Name: value`."""
        return f"{self.name}: {self.value}"


@frozen
class PreservationValue:
    """A parsed CRP-Relay-Preservation: the score as written, and facts repaired."""

    score: str
    repaired: int


def score_text(kept: int, valid_prior: int) -> str:
    """Write a score with two decimals, rounded down; 1.00 only for exactly 1."""
    if not 0 <= kept <= valid_prior:
        raise HeaderError("kept facts are between 0 and the valid prior ones", at="score")
    hundredths = 100 * kept // valid_prior if valid_prior else 100
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def emit_preservation(kept: int, valid_prior: int, repaired: int = 0) -> Header:
    """Give CRP-Relay-Preservation: the score before repair, `repaired` if any."""
    if repaired < 0:
        raise HeaderError("repaired is a count", at="repaired")
    tail = f"; repaired={repaired}" if repaired else ""
    return Header("CRP-Relay-Preservation", score_text(kept, valid_prior) + tail)


def relay_headers(
    cso: CognitiveStateObject,
    preserved: Preservation | None = None,
    repaired: int = 0,
    *,
    prior: CognitiveStateObject | None = None,
) -> tuple[Header, ...]:
    """Give the headers of an object in the order of S30 §10.

    Without `preserved` (the score of its relay) there is no preservation header.
    Revisions are those of this window; with `prior`, those that it did not have.
    Raises `HeaderError` for a revision target that no header can carry.
    """
    revisions = [r for r in cso.revisions if r.kind is RecordKind.REVISION]
    if prior is None:
        targets = [r.target for r in revisions if r.window == cso.window_number]
    else:
        known = set(prior.revisions)
        targets = [r.target for r in revisions if r not in known]
    live = model.LIVE
    facts = sum(fact.status in live for fact in cso.established_facts)
    decided = sum(d.status in live and bool(d.rationale.strip()) for d in cso.decisions)
    found = []
    if preserved is not None:
        found.append(emit_preservation(preserved.kept, preserved.valid_prior, repaired))
    found.append(Header("CRP-Relay-Revisions", str(len(targets))))
    if targets:
        found.append(Header("CRP-Relay-Revision-Target", _tokens(targets)))
    found.append(Header("CRP-Relay-CSO-Facts", str(facts)))
    found.append(Header("CRP-Relay-CSO-Decisions", str(decided)))
    found.append(Header("CRP-Relay-Dependency-Depth", str(graph.depth(cso))))
    return tuple(found)


def _tokens(names: Iterable[str]) -> str:
    for name in names:
        if not is_id(name):
            raise HeaderError(f"id {name!r:.140} cannot stand in a header", at="Revision-Target")
    return ", ".join(names)


_PRESERVATION = re.compile(r"(0\.[0-9]+|1\.0+)(?:[ \t]*;[ \t]*repaired=([0-9]+))?")
_COUNT = re.compile(r"[0-9]+")
_TARGETS = re.compile(r"[A-Za-z0-9._-]{1,128}(?:[ \t]*,[ \t]*[A-Za-z0-9._-]{1,128})*")


def _preservation(match: re.Match[str]) -> PreservationValue:
    return PreservationValue(match[1], int(match[2] or 0))


def _count(match: re.Match[str]) -> int:
    return int(match[0])


def _names(match: re.Match[str]) -> tuple[str, ...]:
    return tuple(name.strip(" \t") for name in match[0].split(","))


_GRAMMAR: dict[str, tuple[str, re.Pattern[str], Callable[[re.Match[str]], Any], str]] = {
    name.lower(): (name, pattern, read, expected)
    for name, pattern, read, expected in (
        ("CRP-Relay-Preservation", _PRESERVATION, _preservation, "0.94 or 0.94; repaired=3"),
        ("CRP-Relay-Revisions", _COUNT, _count, "digits"),
        ("CRP-Relay-Revision-Target", _TARGETS, _names, "ids separated by commas"),
        ("CRP-Relay-CSO-Facts", _COUNT, _count, "digits"),
        ("CRP-Relay-CSO-Decisions", _COUNT, _count, "digits"),
        ("CRP-Relay-Dependency-Depth", _COUNT, _count, "digits"),
    )
}

# No count of a real state has more digits; longer ones are not worth converting.
_LONGEST = 8_192


def parse_header(line: str) -> tuple[str, Any]:
    """Read one header line; give its proper name and its value.

    Raises `HeaderError` for an unknown name or a value outside the grammar.
    """
    name, colon, rest = line.partition(":")
    known = _GRAMMAR.get(name.lower()) if name.isascii() else None
    if not colon or known is None:
        raise HeaderError(f"{name!r:.60} is not a CRP-Relay header", at="name")
    value = rest.strip(" \t")
    proper, pattern, read, expected = known
    match = pattern.fullmatch(value) if len(value) <= _LONGEST else None
    if match is None or max(map(len, re.findall("[0-9]+", value)), default=0) > 128:
        raise HeaderError(f"expected {expected}, got {value!r:.80}", at=proper)
    return proper, read(match)


def parse_headers(lines: Iterable[str]) -> dict[str, Any]:
    """Read the CRP-Relay lines among `lines`, by proper name.

    Other headers are passed over. Raises `HeaderError` for a repeated one, and
    for targets whose number is not that of the revisions.
    """
    found: dict[str, Any] = {}
    for line in lines:
        if not line.lower().startswith(PREFIX):
            continue
        name, value = parse_header(line)
        if name in found:
            raise HeaderError("occurs twice", at=name)
        found[name] = value
    targets = found.get("CRP-Relay-Revision-Target")
    if targets is not None and len(targets) != found.get("CRP-Relay-Revisions", len(targets)):
        raise HeaderError("as many targets as revisions, please", at="CRP-Relay-Revision-Target")
    return found


def stripped(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Drop CRP-Relay-* from a client's request: they are for responses only (R44)."""
    return tuple((name, value) for name, value in headers if not name.lower().startswith(PREFIX))
