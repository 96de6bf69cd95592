"""How many cases of what came out how: the tables of a suite's page."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.conformance.resting import CODES, SECTIONS, codes, sections
from pcsf_lark.faces.pages.wording import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pcsf_lark.conformance.record import Row, Run

__all__ = ["Score", "Table", "folder", "natural", "reasons", "tables"]

_KINDS = {
    "valid": "capsules to accept",
    "warn": "capsules to accept, with warnings",
    "invalid": "capsules with one fault",
    "mixed": "capsules with several",
    "profiles": "where profiles differ",
    "ops/fit": "making room",
    "ops/stitch": "folding capsules",
    "ops/stamp": "adding the stamp",
    "grammar": "texts for ABNF tools",
}
_LEVELS = {
    "verdict": "accept or refuse",
    "codes": "and the codes of refusals",
    "tree": "and the tree of what is accepted",
    "ops": "fit, stitch and stamp, byte for byte",
    "grammar": "matching texts by ABNF",
}
_ROLES = {
    "encoder": "the canonical text, byte for byte",
    "formatter": "the canonical text, byte for byte",
}
_DIGITS = re.compile(r"(\d+)")
#: Rows of a table; a record from elsewhere may hold names without end.
_MOST, _NAME = 60, 80


@frozen
class Score:
    """A row: what was asked about, how many cases were, and how they came out.

    ``anchor`` is that of the first wrong case that is shown, if there is one.
    """

    name: str
    about: str
    passed: int
    wrong: int
    skipped: int = 0
    anchor: str = ""

    @property
    def asked(self) -> int:
        """Cases that were not skipped."""
        return self.passed + self.wrong


@frozen
class Table:
    """Scores under a title; ``left`` rows are not shown."""

    title: str
    first: str
    scores: tuple[Score, ...]
    left: int = 0


def natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """A key that puts c2 before c10."""
    parts = _DIGITS.split(text[:200])
    return tuple((0, int(part[:18])) if n % 2 else (1, part) for n, part in enumerate(parts))


def folder(name: str) -> str:
    """What a case stands in, such as ``invalid/c6``."""
    return "/".join(name.split("/")[:2]) if name.count("/") > 1 else name.rpartition("/")[0]


def _kind(name: str) -> str:
    return folder(name) if name.startswith("ops/") else name.partition("/")[0]


@frozen
class _Axis:
    """What cases are counted by: the names of a case on it, and those that are known."""

    title: str
    first: str
    of: Callable[[Row], tuple[str, ...]]
    known: Mapping[str, str]


_AXES = (
    _Axis("By kind", "kind", lambda row: (_kind(row.name),), _KINDS),
    _Axis("By rule", "rule", lambda row: codes(row.name), CODES),
    _Axis("By section", "§", lambda row: sections(row.name, row.spec), SECTIONS),
)


def tables(run: Run, anchors: Mapping[str, str]) -> tuple[Table, ...]:
    """By level, by kind, by rule and by section; those that say something."""
    levels = Table("By level", "level", tuple(_levels(run)))
    found = (levels, *(_table(axis, run.rows, anchors) for axis in _AXES))
    return tuple(table for table in found if table.scores)


def _levels(run: Run) -> Iterable[Score]:
    """Accept or refuse, where evidence tells it, and besides what was held to at the level."""
    asked = [row for row in run.rows if row.result != "skipped"]
    skipped = len(run.rows) - len(asked)
    told = all(row.evidence for row in asked if row.result == "failed")
    beyond = run.role in _ROLES or run.level in ("codes", "tree")
    if told and beyond:
        right = sum(map(_right, asked))
        yield Score("verdict", _LEVELS["verdict"], right, len(asked) - right, skipped)
    passed = run.count("passed")
    name = run.role if run.role in _ROLES else run.level or "unknown"
    about = _ROLES.get(run.role) or _LEVELS.get(run.level, "")
    yield Score(cut(name, _NAME), about, passed, len(asked) - passed, skipped)


def _right(row: Row) -> bool:
    """Whether a command accepts what it should, and refuses what it should."""
    found = row.evidence
    return row.result == "passed" or (
        row.result == "failed" and found is not None and found.exit == found.expected.exit
    )


def _table(axis: _Axis, rows: Iterable[Row], anchors: Mapping[str, str]) -> Table:
    counts: dict[str, Counter[str]] = {}
    firsts: dict[str, str] = {}
    for row in rows:
        for name in axis.of(row):
            result = "wrong" if row.wrong else row.result
            counts.setdefault(name, Counter())[result] += 1
            if row.wrong and row.name in anchors:
                firsts.setdefault(name, anchors[row.name])
    order = {name: number for number, name in enumerate(axis.known)}
    names = sorted(counts, key=lambda name: (order.get(name, len(order)), natural(name)))
    scores = (
        Score(
            cut(name, _NAME),
            axis.known.get(name, ""),
            counts[name]["passed"],
            counts[name]["wrong"],
            counts[name]["skipped"],
            firsts.get(name, ""),
        )
        for name in names[:_MOST]
    )
    return Table(axis.title, axis.first, tuple(scores), len(names[_MOST:]))


def reasons(run: Run, most: int) -> tuple[tuple[str, int], ...]:
    """What is wrong with several cases in the same words, most frequent first."""
    found = Counter(row.detail for row in run.rows if row.wrong)
    return tuple((detail, times) for detail, times in found.most_common(most) if times > 1)
