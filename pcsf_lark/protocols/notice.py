"""What a careful reader of a capsule must notice before going on (§6).

Times come from the caller; findings come from the rules, whatever rules there
are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.model import Capsule

__all__ = ["Notice", "minutes", "span_of_time"]

_DAY, _HOUR = 24 * 60, 60
_MARCH = 3
#: The rules among the doubts whose findings the reader may not settle alone, and what to ask.
_ASKED = {"instruction": "is it the user's wish?"}


@frozen
class Notice:
    """A capsule as its reader meets it.

    ``now`` and ``context_time`` are timestamps as in META (None: not known);
    ``contradictions`` are findings that two entries do not go together (§6.2),
    ``doubts`` what else the rules say of it.

    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> notice = Notice(EXAMPLE, now="2026-03-16T16:05Z", context_time="2026-03-15T00:00Z")
    >>> notice.age, notice.stale
    (2880, True)
    >>> for question in notice.questions:
    ...     print(question)
    The context is 7 hours 55 minutes newer than the capsule: what in it no longer holds?
    who owns the retry budget?

    Attributes:
        capsule: The capsule.
    """

    capsule: Capsule
    now: str | None = None
    context_time: str | None = None
    contradictions: tuple[Diagnostic, ...] = ()
    doubts: tuple[Diagnostic, ...] = ()

    @property
    def age(self) -> int | None:
        """Minutes from META's timestamp to now; negative where the capsule is of the future."""
        return None if self.now is None else minutes(self.capsule.meta.timestamp, self.now)

    @property
    def stale(self) -> bool:
        """Whether there is newer context, to which the capsule yields (§6.1)."""
        written = self.capsule.meta.timestamp
        return self.context_time is not None and self.context_time > written

    @property
    def questions(self) -> tuple[str, ...]:
        """What to ask before acting, the most pressing first (§6.2, §6.3)."""
        return tuple(self._questions())

    def _questions(self) -> Iterator[str]:
        written = self.capsule.meta.timestamp
        if self.age is not None and self.age < 0:
            yield f"The capsule is dated {written}, which is yet to come: which clock is wrong?"
        if self.stale and self.context_time:
            newer = span_of_time(minutes(written, self.context_time))
            yield f"The context is {newer} newer than the capsule: what in it no longer holds?"
        for finding in self.contradictions:
            yield f"{self._line(finding.span.line)}: {self._quoting(finding.message)}; which holds?"
        for finding in self.doubts:
            if asked := _ASKED.get(finding.name):
                yield f"{self._line(finding.span.line)}: {finding.message}; {asked}"
        for entry in self.capsule.internal:
            if entry.type == "UNRESOLVED":
                yield entry.content
        for loop in self.capsule.loops:
            if loop.type == "DEFERRED_QUESTION":
                yield loop.description

    def _line(self, number: int) -> str:
        """What stands in a line, as far as it is META's, an entry's or SEED's."""
        capsule = self.capsule
        entries = (entry for _, layer in capsule.layers for entry in layer)
        for node in (capsule.meta, *entries, capsule.seed):
            if node.at and node.at[1] == number:
                return f"`{node.line}`"
        return f"Line {number}"

    def _quoting(self, message: str) -> str:
        """A message with the entries it names by line: who is asked sees no line numbers."""

        def quoted(found: re.Match[str]) -> str:
            entry = self._line(int(found[1]))
            return f"{found[0]}, {entry}" if entry.startswith("`") else found[0]

        return re.sub(r"\bline ([0-9]+)", quoted, message)

    def as_object(self, path: str) -> dict[str, Any]:
        """For programs."""
        meta, chain = self.capsule.meta, self.capsule.chain
        return {
            "path": path,
            "meta": _members(meta),
            "now": self.now,
            "age_minutes": self.age,
            "context_time": self.context_time,
            "stale": self.stale,
            "chain": {"hops": int(chain.hops), "origin": chain.origin} if chain else None,
            "contradictions": _findings(self.contradictions),
            "doubts": _findings(self.doubts),
            "loops": [_members(loop) for loop in self.capsule.loops],
            "questions": list(self.questions),
            "seed": self.capsule.seed.text,
        }


def minutes(start: str, end: str) -> int:
    """Minutes from one timestamp to another."""
    return _minute(end) - _minute(start)


def _minute(timestamp: str) -> int:
    """The number of a minute, counted through the Gregorian calendar."""
    year, month, day = int(timestamp[:4]), int(timestamp[5:7]), int(timestamp[8:10])
    if month < _MARCH:  # years end with February, so that a leap day comes last
        year, month = year - 1, month + 12
    days = 365 * year + year // 4 - year // 100 + year // 400 + (153 * month - 457) // 5 + day
    return days * _DAY + int(timestamp[11:13]) * _HOUR + int(timestamp[14:16])


def span_of_time(length: int) -> str:
    """Minutes for people: the two largest units, such as ``3 days 4 hours``."""
    days, rest = divmod(abs(length), _DAY)
    hours, left = divmod(rest, _HOUR)
    units = [(days, "day"), (hours, "hour"), (left, "minute")]
    named = [f"{count} {unit}{'s' * (count != 1)}" for count, unit in units if count]
    return " ".join(named[:2]) or "less than a minute"


def _members(node: Any) -> dict[str, str]:
    return dict(zip(node.FIELDS, node.values, strict=True))


def _findings(findings: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    return [
        {
            "code": finding.code,
            "name": finding.name,
            "message": finding.message,
            "help": finding.help,
            "line": finding.span.line,
        }
        for finding in findings
    ]
