"""The page of a suite run as Markdown, short enough for a comment on a code host.

Laws: at most `MOST` characters; what does not fit is counted, never cut in the middle.
What a case gives and a command prints stands in code, fenced by more backticks than it
holds; spaces at the end of a line, which nobody sees there, are middle dots.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.escaping import code, inline, start
from pcsf_lark.faces.pages.visible import visible
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.faces.pages.suite_bytes import Block
    from pcsf_lark.faces.pages.suite_cases import WrongCase
    from pcsf_lark.faces.pages.suite_scores import Table
    from pcsf_lark.faces.pages.suite_view import SuiteView

__all__ = ["MOST", "suite_markdown"]

#: Characters; a comment on GitHub holds 65,536.
MOST = 60_000
#: What is kept free for the words on what is left out.
_TAIL = 200
_EDGE = re.compile(r" +(?=\n|\Z)")
_TICKS = re.compile(r"`+")


def suite_markdown(view: SuiteView) -> str:
    """The page; the scores first, then what is wrong as far as there is room."""
    text = "\n".join(_head(view)) + "\n"
    shown = 0
    for case in _cases(view):
        if len(text) + len(case) > MOST - _TAIL:
            break
        text += f"\n{case}\n"
        shown += 1
    left = view.wrong - shown
    if left:
        text += f"\n{counted(left, 'more wrong answer')} not shown here.\n"
    return text


def _head(view: SuiteView) -> Iterator[str]:
    yield f"# PCSF conformance: {inline(view.title)}\n"
    told = {
        "failed": view.failed,
        "broken": view.broken,
        "skipped": view.skipped,
    }
    rest = "".join(f", {number:,} {name}" for name, number in told.items() if number)
    yield f"**{view.passed:,} of {view.asked:,} cases passed**{rest}."
    if view.suite is not None and view.suite != view.asked + view.skipped:
        by = f"; chosen by {code(view.chosen)}" if view.chosen else ""
        yield f"The suite has {view.suite:,}{by}."
    if view.facts:
        yield "\n" + ", ".join(f"{name}: {inline(value)}" for name, value in view.facts)
    if view.again:
        yield f"\nTo run it again: {code(view.again)}"
    for table in view.tables:
        yield from _table(table)
    if view.reasons:
        yield "\n## Most often\n"
        yield from (f"- {counted(times, 'case')}: {inline(why)}" for why, times in view.reasons)
    if view.wrong:
        yield "\n## What is wrong"


def _table(table: Table) -> Iterator[str]:
    yield f"\n## {table.title}\n"
    yield f"| {table.first} | | passed | wrong |"
    yield "|---|---|---:|---:|"
    for score in table.scores:
        name, about = inline(score.name), inline(score.about)
        yield f"| {name} | {about} | {score.passed:,} | {score.wrong:,} |"
    if table.left:
        yield f"\n{counted(table.left, 'row')} more."


def _cases(view: SuiteView) -> Iterator[str]:
    """All that is wrong: first what is shown whole, then what has words alone."""
    for group in view.groups:
        yield from (_whole(case) for case in group.cases)
    for group in view.groups:
        for line in group.lines:
            yield f"- {line.result}: {code(line.name)} {inline(line.why)}"


def _whole(case: WrongCase) -> str:
    lines = [f"### {case.result}: {code(case.name)}\n", start(case.why)]
    if case.spec:
        lines.append(f"\nRests on {inline(case.spec)}")
    if case.place:
        lines.append(f"\nThe fault is at {case.place} of the input.")
    if case.call:
        lines.append(f"\nCalled with {code(case.call)}")
    lines += _side("Input", "", case.given)
    lines += _side("Expected", *case.expected)
    lines += _side("Answered", *case.answered)
    return "\n".join(lines)


def _side(title: str, words: str, blocks: Iterable[Block]) -> Iterator[str]:
    if words:
        yield f"\n{title}: {inline(words)}"
    for block in blocks:
        left = f" ({block.left})" if block.left else ""
        yield f"\n{title}, {inline(block.title)}{left}:\n"
        yield _fenced(block.plain)


def _fenced(text: str) -> str:
    """Text in a fence that it cannot close."""
    shown = _EDGE.sub(lambda edge: "·" * len(edge[0]), visible(text)).rstrip("\n")
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"
