"""Outcomes as text for people, JSON, TAP and JUnit XML."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pcsf_lark.conformance.judging import Outcome

__all__ = ["FORMATS", "summary"]

RESULTS = ("passed", "failed", "broken", "skipped")


def summary(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """How many cases came to which result."""
    counts = Counter(one.result for one in outcomes)
    return {result: counts[result] for result in RESULTS}


def human(title: str, outcomes: Sequence[Outcome]) -> str:
    """What is wrong, a line a case, and the score."""
    lines = [
        f"{one.result:<7} {one.case.name}: {_plain(one.detail)}"
        for one in outcomes
        if one.result in ("failed", "broken")
    ]
    counts = summary(outcomes)
    total = len(outcomes) - counts["skipped"]
    told = ", ".join(f"{counts[result]} {result}" for result in RESULTS if counts[result])
    lines.append(f"{_plain(title)}: {counts['passed']} of {total} cases passed ({told or 'none'})")
    return "\n".join(lines)


def as_json(title: str, outcomes: Sequence[Outcome]) -> str:
    """One object: the counts, and every case."""
    rows = [
        {
            "name": one.case.name,
            "result": one.result,
            "detail": one.detail,
            "spec": one.case.spec,
            "seconds": round(one.seconds, 4),
        }
        for one in outcomes
    ]
    return json.dumps({"title": title, **summary(outcomes), "cases": rows}, indent=1)


def tap(title: str, outcomes: Sequence[Outcome]) -> str:
    """TAP version 14."""
    lines = ["TAP version 14", f"1..{len(outcomes)} # {_plain(title)}"]
    for number, one in enumerate(outcomes, start=1):
        good = one.result in ("passed", "skipped")
        skip = " # SKIP" if one.result == "skipped" else ""
        lines.append(f"{'ok' if good else 'not ok'} {number} - {one.case.name}{skip}")
        if not good:
            lines += [
                "  ---",
                f"  result: {one.result}",
                f"  detail: {json.dumps(one.detail)}",
                "  ...",
            ]
    return "\n".join(lines)


def junit(title: str, outcomes: Sequence[Outcome]) -> str:
    """JUnit XML: a broken command is an error, a wrong answer a failure."""
    counts = summary(outcomes)
    seconds = sum(one.seconds for one in outcomes)
    head = (
        f'<testsuite name={quoteattr(_plain(title))} tests="{len(outcomes)}" '
        f'failures="{counts["failed"]}" errors="{counts["broken"]}" '
        f'skipped="{counts["skipped"]}" time="{seconds:.3f}">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head]
    tags = {"failed": "failure", "broken": "error"}
    for one in outcomes:
        group, _, name = one.case.name.rpartition("/")
        head = f'<testcase classname={quoteattr(group)} name={quoteattr(name)} time="{one.seconds:.3f}"'
        if one.result == "passed":
            lines.append(f"{head}/>")
        elif one.result == "skipped":
            lines.append(f"{head}><skipped/></testcase>")
        else:
            detail = _plain(one.detail)
            tag = tags[one.result]
            lines.append(
                f"{head}><{tag} message={quoteattr(detail)}>{escape(detail)}</{tag}></testcase>"
            )
    return "\n".join([*lines, "</testsuite>"])


def _plain(text: str) -> str:
    """Text of a command on one line, without what could steer a terminal or break XML."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


#: Name of a format to what renders it.
FORMATS: dict[str, Callable[[str, Sequence[Outcome]], str]] = {
    "human": human,
    "json": as_json,
    "tap": tap,
    "junit": junit,
}
