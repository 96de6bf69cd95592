"""What `pcsf check` does beyond telling: mending, showing diffs, baselines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pcsf_lark.faces.baseline import load, save, sign
from pcsf_lark.faces.cli.check_command import show as show_results
from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.faces.files import STDIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pcsf_lark.faces.checking import Outcome
    from pcsf_lark.faces.cli.check_command import Tally
    from pcsf_lark.faces.cli.options import Format

__all__ = ["agree", "pardons", "show"]


def agree(
    *, fix: bool, diff: bool, unsafe: bool, restamp: bool, baseline: str | None, write: bool
) -> None:
    """End the call where its options do not go together."""
    mending = fix or diff
    for name, given in (("--unsafe-fixes", unsafe), ("--restamp", restamp)):
        if given and not mending:
            usage_error(f"{name} needs --fix or --diff")
    if write and baseline is None:
        usage_error("--write-baseline needs --baseline FILE, the file to write")
    if write and mending:
        usage_error("--write-baseline goes with neither --fix nor --diff")


def pardons(path: str | None) -> Mapping[str, frozenset[str]]:
    """What a baseline file pardons, nothing without one; raises Trouble."""
    return load(path) if path is not None else {}


def show(tally: Tally, output: Format, *, diff: bool, baseline: str | None) -> int:
    """Show what came of the files in one of the modes; the exit code."""
    if baseline is not None:
        _write_baseline(baseline, tally)
        return 0
    count = _Count(tally)
    if diff:
        _show_diffs(count)
    else:
        mended = list(_mended(count))
        show_results(mended, output, err=any(outcome.path == STDIN for outcome in mended))
    if count.files:
        verb = "would mend" if diff else "mended"
        told = f"{_plural(count.findings, 'finding')} in {_plural(count.files, 'file')}"
        say(f"{verb} {told}", err=True)
    return int(tally.fails or (diff and count.files > 0))


class _Count:
    """The outcomes, with a count of what was mended as they pass."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self._outcomes = outcomes
        self.files = self.findings = 0

    def __iter__(self) -> Iterator[Outcome]:
        for outcome in self._outcomes:
            self.files += outcome.after is not None
            self.findings += outcome.mended
            yield outcome


def _mended(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes; what standard input became goes to standard output."""
    for outcome in outcomes:
        if outcome.path == STDIN:
            sys.stdout.buffer.write(outcome.report.source.data)
        yield outcome


def _show_diffs(outcomes: Iterable[Outcome]) -> None:
    from pcsf_lark.faces.differing import unified  # noqa: PLC0415 - for --diff alone

    for outcome in outcomes:
        if outcome.before is not None and outcome.after is not None:
            sys.stdout.buffer.write(unified(outcome.name, outcome.before, outcome.after))


def _write_baseline(path: str, outcomes: Iterable[Outcome]) -> None:
    found = (
        (o.name, sign(o.report.source.data), {finding.code for finding in o.report.findings})
        for o in outcomes
        if not o.report.source.oversize
    )
    say(f"wrote {_plural(save(path, found), 'pardon')} to {path}", err=True)


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' * (count != 1)}"
