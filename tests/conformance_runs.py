"""Records of suite runs without a process: answers are made up where they are needed."""

import json

from pcsf_lark.conformance import Answer, cases, judge
from pcsf_lark.conformance.record import Run, Selection, recorded

#: What a command may be held to.
KINDS = [
    *(("decoder", level) for level in ("verdict", "codes", "tree", "ops", "grammar")),
    ("encoder", "verdict"),
    ("formatter", "verdict"),
]


def right(case):
    """The answer that a case wants, whatever it compares."""
    want = case.expected
    output = want.output or b""
    if want.tree is not None:
        output = json.dumps(want.tree).encode()
    if want.codes is not None:
        output = json.dumps({"codes": sorted(want.codes)}).encode()
    return Answer(want.exit, output)


def wrong(case):
    """The other verdict."""
    return Answer(1 - case.expected.exit)


def run_of(answer=right, role="decoder", level="verdict", fits=lambda _: True):
    """The record of a command that answers so, on the cases whose names fit."""
    suite = cases(role, level)
    asked = [case for case in suite if fits(case.name)]
    return Run(
        title=f"a command ({role}, level {level})",
        rows=recorded(judge(case, answer(case)) for case in asked),
        command=("a", "command"),
        role=role,
        level=level,
        version="1.2.3",
        suite=len(suite),
        selection=Selection(run=("x*",), must_fail=level == "codes"),
        timeout=2.5 if level == "tree" else 10.0,
    )
