"""The record of a run as text for people, JSON, TAP and JUnit XML.

The pages that `pcsf conformance report` makes of the same record are faces.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pcsf_lark.conformance.record import RESULTS
from pcsf_lark.conformance.record_json import to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.conformance.record import Run

__all__ = ["FORMATS", "score"]


def score(run: Run) -> str:
    """How many cases passed of those asked, and how many came to what, on one line."""
    told = ", ".join(f"{run.count(result)} {result}" for result in RESULTS if run.count(result))
    total = len(run.rows) - run.count("skipped")
    return f"{run.count('passed')} of {total} cases passed ({told or 'none'})"


def human(run: Run) -> str:
    """What is wrong, a line a case, and the score."""
    lines = [f"{row.result:<7} {row.name}: {_plain(row.detail)}" for row in run.rows if row.wrong]
    return "\n".join([*lines, f"{_plain(run.title)}: {score(run)}"])


def tap(run: Run) -> str:
    """TAP version 14."""
    lines = ["TAP version 14", f"1..{len(run.rows)} # {_plain(run.title)}"]
    for number, row in enumerate(run.rows, start=1):
        good = row.result in ("passed", "skipped")
        skip = " # SKIP" if row.result == "skipped" else ""
        lines.append(f"{'ok' if good else 'not ok'} {number} - {row.name}{skip}")
        if not good:
            lines += [
                "  ---",
                f"  result: {row.result}",
                f"  detail: {json.dumps(row.detail)}",
                "  ...",
            ]
    return "\n".join(lines)


def junit(run: Run) -> str:
    """JUnit XML: a broken command is an error, a wrong answer a failure."""
    seconds = sum(row.seconds for row in run.rows)
    head = (
        f'<testsuite name={quoteattr(_plain(run.title))} tests="{len(run.rows)}" '
        f'failures="{run.count("failed")}" errors="{run.count("broken")}" '
        f'skipped="{run.count("skipped")}" time="{seconds:.3f}">'
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', head]
    tags = {"failed": "failure", "broken": "error"}
    for row in run.rows:
        group, _, name = row.name.rpartition("/")
        head = f'<testcase classname={quoteattr(group)} name={quoteattr(name)} time="{row.seconds:.3f}"'
        if row.result == "passed":
            lines.append(f"{head}/>")
        elif row.result == "skipped":
            lines.append(f"{head}><skipped/></testcase>")
        else:
            detail = _plain(row.detail)
            tag = tags[row.result]
            lines.append(
                f"{head}><{tag} message={quoteattr(detail)}>{escape(detail)}</{tag}></testcase>"
            )
    return "\n".join([*lines, "</testsuite>"])


def _plain(text: str) -> str:
    """Text of a command on row line, without what could steer a terminal or break XML."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


#: Name of a format to what renders it.
FORMATS: dict[str, Callable[[Run], str]] = {
    "human": human,
    "json": to_json,
    "tap": tap,
    "junit": junit,
}
