"""The record of a suite run as its page shows it: scores, what is wrong first, diagrams.

Laws: the same record gives the same view: times are left out, nothing is looked up but
the suite's own files and the grammar. What a view holds is bounded, whatever the record
holds, and it says how much is left out.
"""

from __future__ import annotations

import re
import shlex
from itertools import groupby
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.conformance.record import PATIENCE
from pcsf_lark.faces.pages.suite_cases import WORDS, wrong_case
from pcsf_lark.faces.pages.suite_diagrams import diagrams
from pcsf_lark.faces.pages.suite_scores import folder, natural, reasons, tables
from pcsf_lark.faces.pages.wording import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pcsf_lark.conformance.record import Row, Run
    from pcsf_lark.faces.pages.suite_cases import WrongCase
    from pcsf_lark.faces.pages.suite_diagrams import Grammar
    from pcsf_lark.faces.pages.suite_scores import Table

__all__ = ["Group", "Line", "Names", "SuiteView", "suite_view"]

#: Cases that are shown whole: in all, and of one folder.
_WHOLE, _OF_ONE = 120, 8
#: Cases that are named on a line beside them, and names of cases that are not wrong.
_LINES, _NAMED = 1_500, 10_000
_FOLDERS = 80
_REASONS = 8
_NAME = 160
_SLUG = re.compile(r"[^A-Za-z0-9.+-]+")


@frozen
class Line:
    """A wrong case of which only the words are shown."""

    name: str
    result: str
    why: str


@frozen
class Group:
    """The wrong cases of a folder: some whole, more on a line, and how many are left out."""

    name: str
    anchor: str
    count: int
    cases: tuple[WrongCase, ...]
    lines: tuple[Line, ...]
    left: int


@frozen
class Names:
    """Cases of a folder that need no words, by what their names add to its name."""

    name: str
    count: int
    names: tuple[str, ...]


@frozen
class SuiteView:
    """All that the page says.

    ``chosen`` are the options that chose the cases, ``again`` is the command line that
    repeats the run, ``more`` the number of wrong cases in folders that are not shown.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    passed: int
    failed: int
    broken: int
    skipped: int
    suite: int | None
    chosen: str
    again: str
    tables: tuple[Table, ...]
    reasons: tuple[tuple[str, int], ...]
    groups: tuple[Group, ...]
    more: int
    good: tuple[Names, ...]
    left_out: tuple[Names, ...]
    grammars: tuple[Grammar, ...]

    @property
    def asked(self) -> int:
        """Cases that were asked and not skipped."""
        return self.passed + self.wrong

    @property
    def wrong(self) -> int:
        """Cases that failed or broke the command."""
        return self.failed + self.broken


def suite_view(run: Run, *, name: str = "", date: str = "") -> SuiteView:
    """What a page says of a run; ``name`` is what was scored, if not the command's own words."""
    wrong = sorted((row for row in run.rows if row.wrong), key=_order)
    whole = _shown_whole(wrong)
    anchors = _anchors(row.name for row in whole)
    grammars, links = diagrams(run, [row.name for row in whole])
    groups = list(_groups(wrong, anchors, links))
    return SuiteView(
        title=cut(name or shlex.join(run.command) or run.title, WORDS),
        facts=tuple(_facts(run, date)),
        passed=run.count("passed"),
        failed=run.count("failed"),
        broken=run.count("broken"),
        skipped=run.count("skipped"),
        suite=run.suite,
        chosen=cut(_chosen(run), WORDS),
        again=cut(_again(run), WORDS),
        tables=tables(run, anchors),
        reasons=tuple((cut(why, WORDS), times) for why, times in reasons(run, _REASONS)),
        groups=tuple(groups[:_FOLDERS]),
        more=sum(group.count for group in groups[_FOLDERS:]),
        good=_names(row for row in run.rows if row.result == "passed"),
        left_out=_names(row for row in run.rows if row.result == "skipped"),
        grammars=grammars,
    )


def _facts(run: Run, date: str) -> Iterator[tuple[str, str]]:
    if run.role:
        yield "role", run.role
    if run.level and run.role in ("", "decoder"):
        yield "level", run.level
    if _patience(run):
        yield "seconds a case", _patience(run)
    if run.version:
        yield "suite", f"pcsf {run.version}"
    if date:
        yield "date", date


def _options(run: Run) -> Iterator[str]:
    """The options that chose the cases."""
    for option in ("run", "skip", "index"):
        for value in getattr(run.selection, option):
            yield from (f"--{option}", value)
    if run.selection.must_fail:
        yield "--skip-must-fail"


def _patience(run: Run) -> str:
    """The seconds that a case might take, where they were asked for."""
    return "" if run.timeout is None or run.timeout == PATIENCE else f"{run.timeout:g}"


def _chosen(run: Run) -> str:
    return shlex.join(_options(run))


def _again(run: Run) -> str:
    if not run.command:
        return ""
    role = ["--as", run.role] if run.role not in ("", "decoder") else []
    level = ["--level", run.level] if run.level not in ("", "verdict") else []
    patience = ["--timeout", _patience(run)] if _patience(run) else []
    words = ["pcsf", "conformance", "run", *role, *level, *_options(run), *patience]
    words += ["--", *run.command]
    return shlex.join(words)


def _shown_whole(wrong: list[Row]) -> list[Row]:
    """The first few of each folder, of all folders alike as far as there is room."""
    per = {name: list(rows) for name, rows in groupby(wrong, key=lambda row: folder(row.name))}
    most = _OF_ONE
    while most > 1 and sum(min(len(rows), most) for rows in per.values()) > _WHOLE:
        most -= 1
    return [row for rows in per.values() for row in rows[:most]][:_WHOLE]


def _anchors(names: Iterable[str]) -> dict[str, str]:
    """An anchor for each name, told from the others whatever the names hold."""
    found: dict[str, str] = {}
    for name in names:
        slug = wanted = f"case-{_SLUG.sub('-', name)[:_NAME]}"
        taken = set(found.values())
        number = 2
        while slug in taken:
            slug, number = f"{wanted}-{number}", number + 1
        found.setdefault(name, slug)
    return found


def _groups(
    wrong: list[Row], anchors: Mapping[str, str], links: Callable[[str], Mapping[str, str]]
) -> Iterator[Group]:
    room = _LINES
    unshown = dict(anchors)  # of a name that stands in a record twice the first alone is shown
    for number, (name, found) in enumerate(groupby(wrong, key=lambda row: folder(row.name)), 1):
        whole, rest = [], []
        for row in found:
            if anchor := unshown.pop(row.name, ""):
                whole.append(wrong_case(row, anchor, links(row.name)))
            else:
                rest.append(row)
        lines = [
            Line(cut(row.name, _NAME), row.result, cut(row.detail, _NAME)) for row in rest[:room]
        ]
        room -= len(lines)
        yield Group(
            name=cut(name, _NAME) or "others",
            anchor=f"wrong-{number}",
            count=len(whole) + len(rest),
            cases=tuple(whole),
            lines=tuple(lines),
            left=len(rest) - len(lines),
        )


def _names(rows: Iterable[Row]) -> tuple[Names, ...]:
    room = _NAMED
    groups = []
    for name, members in groupby(sorted(rows, key=_order), key=lambda row: folder(row.name)):
        names = [row.name.removeprefix(f"{name}/") for row in members]
        short = tuple(cut(one, _NAME) for one in names[:room])
        room -= len(short)
        groups.append(Names(cut(name, _NAME) or "others", len(names), short))
    more = sum(one.count for one in groups[_FOLDERS:])
    return (*groups[:_FOLDERS], *([Names("other folders", more, ())] if more else []))


def _order(row: Row) -> tuple[object, ...]:
    """Folders in order, and in each its cases."""
    return natural(folder(row.name)), folder(row.name), natural(row.name), row.name
