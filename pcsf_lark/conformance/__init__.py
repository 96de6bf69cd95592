"""The conformance suite: cases with their answers, and the runner that holds any program to them.

Laws: the suite is files (``tests/corpus``, ``tests/ops``; a wheel carries
them), and knows no implementation. A program under test is a command; it is
judged by its exit code and standard output alone. A command that crashes, or
takes too long, is broken: that is never an answer.
"""

from pcsf_lark.conformance.case import Case, Expected
from pcsf_lark.conformance.judging import Outcome, judge
from pcsf_lark.conformance.running import Answer, ask, run
from pcsf_lark.conformance.suite import LEVELS, ROLES, cases, select

__all__ = [
    "LEVELS",
    "ROLES",
    "Answer",
    "Case",
    "Expected",
    "Outcome",
    "ask",
    "cases",
    "judge",
    "run",
    "select",
]
