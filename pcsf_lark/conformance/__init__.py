"""The conformance suite: cases with their answers, and how any program's are judged by them.

Laws: the suite is files (``tests/corpus``, ``tests/ops``; a wheel carries
them); only what encoders and formatters must write is made by this package
itself (see ``suite``). A program under test is a command, judged by its exit
code and standard output, and by standard error where that tells of a crash. A
command that crashes, or takes too long, is broken: that is never an answer, and
a refusal is one only from a command that accepts. Nothing here starts a process
or reads a clock; ``pcsf_lark.faces.asking`` does.
"""

from pcsf_lark.conformance.answer import Answer
from pcsf_lark.conformance.case import Case, Expected
from pcsf_lark.conformance.judging import Outcome, judge
from pcsf_lark.conformance.suite import LEVELS, ROLES, cases, select

__all__ = [
    "LEVELS",
    "ROLES",
    "Answer",
    "Case",
    "Expected",
    "Outcome",
    "cases",
    "judge",
    "select",
]
