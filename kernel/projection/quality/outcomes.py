"""What became of a command or a call, by what its result says.

Laws: the absence of an error is no success: without a status, a mark or words that say
so the outcome is unknown; a status behind a pipe or `|| true` is another's, and proves
nothing unless it is itself the failure; a mark of error is evidence, not yet a failure
of the work; neither a status nor a mark of success proves anything where a check itself says
that it failed. Only the head and the tail of a result are read.
"""

# ruff: noqa: RUF001 - full-width marks are meant

import re
from typing import Final, Literal

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.quality.facts import Completion

__all__ = ["Outcome", "call_outcome", "report_outcome", "shell_outcome"]

Evidence = Literal["status", "mark", "output", "masked", "aborted", "none"]

_HEAD: Final = 1500
_TAIL: Final = 6000
_STATUS: Final = re.compile(
    r"(?:Command exited with code |\(exit code |[Cc]ommand (?:finished|completed) with exit code "
    r"|Process exited with code |<returncode>|\A(?:Error: )?Exit code:? |\"exit_?[cC]ode\":\s*"
    r"|\[exit code:? )(?P<code>-?\d+)"
)
_ABORTED: Final = re.compile(
    r"\A\s*(?:Command aborted|\[Request interrupted by user|Operation aborted|Request was aborted"
    r"|The user doesn't want to (?:proceed|take this action))"
    r"|Command aborted\s*\Z"
)
_TIMEOUT: Final = re.compile(r"\b(?:Command )?timed out after \d", re.IGNORECASE)
_CHECK_FAILED: Final = re.compile(
    r"(?<![\d.])[1-9]\d* (?:\w+ )?(?:failed|failing|failures?|errors?)\b|^FAILED\b|\bFAIL\b"
    r"|\berror TS\d+|\berror\[E?\w*\d\]|npm (?:ERR!|error)|\bBUILD FAILED\b|test result: FAILED"
    r"|Traceback \(most recent call last\)|\bSyntaxError\b|^\s*[✗✖×] |: command not found"
    r"|\bFAILED \(|^E   |\bFatal error\b|\bpanicked at\b|:\d+: error\b|^make(?:\[\d+\])?: \*\*\* ",
    re.MULTILINE,
)
_CHECK_PASSED: Final = re.compile(
    r"(?<![\d.])[1-9]\d* (?:\w+ )?(?:passed|passing)\b|^OK\b|All (?:checks|tests) passed|test result: ok"
    r"|no issues found|No fixes applied|No linting violations|BUILD SUCCESS|^0 errors|\b0 (?:errors|failed)\b"
    r"|already formatted|left unchanged|^PASS\b",
    re.MULTILINE,
)
_RUN_FAILED: Final = re.compile(
    r"Traceback \(most recent call last\)|^\S*: (?:line \d+: )?\S+: command not found|command not found:"
    r"|^(?:\w+\.)*\w*(?:Error|Exception): |\bpanicked at\b|Segmentation fault|^Node\.js v\d"
    r"|^fatal: |^error: |^Error: ",
    re.MULTILINE,
)
_LOOK_FAILED: Final = re.compile(
    r"^\w+: (?:cannot |can't )?.{0,200}(?:No such file or directory|Permission denied)",
    re.MULTILINE,
)
_DID: Final = re.compile(
    r"Your command ran successfully|^\[[\w/.-]+(?: \(root-commit\))? [0-9a-f]{7,}\]"
    r"|nothing to commit, working tree clean",
    re.MULTILINE,
)
_CALL_FAILED: Final = re.compile(
    r"\A\s*(?:\[?Error\b|ERROR\b|error:|<tool_use_error>|Could not find|No changes made|No match"
    r"|String to replace not found|Your proposed edit has introduced|File (?:does not exist|not found)"
    r"|File has (?:not been read|been modified)|InputValidationError|Traceback|Invalid |Failed to |Unable to "
    r"|ENOENT|EACCES|No replacement was performed|\{\"error\")"
)
_CALL_DONE: Final = re.compile(
    r"updated successfully|[Ss]uccessfully (?:replaced|wrote|written|created|edited|updated|deleted|modified)"
    r"|has been (?:updated|created|edited|modified)|created successfully|Text replaced\."
    r"|Changed \d+ characters|\A--- \S|modified successfully|\A\[File: [^\n]* lines? total\)\]"
    r"|\A\s*\{\"success\": ?true|\"success\": ?true"
)
_SAID_FAILED: Final = re.compile(r"\b(?:FAILED|FAIL|[Ff]ailed|[Ff]ailing|did not pass)\b|❌|✗")
_SAID_PASSED: Final = re.compile(
    r"\b(?:PASSED|PASS|[Pp]assed|[Pp]asses|[Ss]ucceeded|successful|OK)\b|✅|✓|[Nn]o (?:\w+ )?(?:errors|violations|issues)"
)
_NONE_FAILED: Final = re.compile(
    r"(?<![\d.])(?:0|no|none|nothing|zero) (?:\w+ )?(?:failed|failures|failing|remaining)\b",
    re.IGNORECASE,
)
_NAMES: Final = re.compile(
    r"\b(?:[A-Z]\w*(?:Error|Exception)|TS\d{3,5}|E(?:NOENT|ACCES|EXIST|PERM|ADDRINUSE|CONNREFUSED|TIMEDOUT)"
    r"|[A-Z]{1,4}\d{3,4})\b|(?<=FAILED )[\w./:\[\]-]+"
)


@frozen
class Outcome:
    """How something ended, what says so, and the names of what went wrong."""

    state: Completion
    evidence: Evidence
    names: tuple[str, ...] = field(default=(), converter=as_tuple)


def _ends(text: str) -> str:
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"


def _failed(text: str, evidence: Evidence) -> Outcome:
    return Outcome("failed", evidence, tuple(dict.fromkeys(_NAMES.findall(text)))[:8])


def _plain(text: str, *, mark: bool | None) -> tuple[str, Outcome | None]:
    """Return the ends of a result, and its outcome where status or interruption tell."""
    ends = _ends(text)
    if _ABORTED.search(ends):
        return ends, Outcome("unknown", "aborted")
    codes = [int(found["code"]) for found in _STATUS.finditer(ends)]
    if codes and codes[-1] != 0:
        return ends, _failed(ends, "status")
    if _TIMEOUT.search(ends[-400:]):
        return ends, _failed(ends, "output")
    if codes:
        return ends, Outcome("done", "status")
    if mark is not None:
        return ends, _failed(ends, "mark") if mark else Outcome("done", "mark")
    return ends, None


def shell_outcome(
    text: str, *, masked: bool, looks: bool, checks: bool, mark: bool | None = None
) -> Outcome:
    """Judge a command by its output.

    `masked`: its status may be another's; `looks`: it only shows what is there, so words
    in its output prove nothing; `checks`: it is a test, a build or a linter.
    """
    ends, known = _plain(text, mark=mark)
    if known is not None and (known.state == "failed" or known.evidence == "aborted"):
        return known
    wrong = _LOOK_FAILED if looks else _CHECK_FAILED if checks else _RUN_FAILED
    sound = known is not None and not masked and not checks
    if not sound and wrong.search(ends) and not (checks and _NONE_FAILED.search(ends[-400:])):
        return _failed(ends, "output")
    if known is not None and not masked:
        return known
    if checks and _CHECK_PASSED.search(ends):
        return Outcome("done", "output")
    if not looks and _DID.search(ends):
        return Outcome("done", "output")
    return Outcome("unknown", "masked" if masked else "none")


def call_outcome(text: str, *, mark: bool | None = None) -> Outcome:
    """Judge the call of a tool that is no shell."""
    ends, known = _plain(text, mark=mark)
    if known is not None:
        return known
    if _CALL_FAILED.search(ends):
        return _failed(ends, "output")
    return Outcome("done", "output") if _CALL_DONE.search(ends) else Outcome("unknown", "none")


def report_outcome(text: str) -> Outcome:
    """Judge what a report says in words: of one command, or of a whole errand."""
    if _SAID_FAILED.search(text) and not _NONE_FAILED.search(text):
        return _failed(text, "output")
    return Outcome("done", "output") if _SAID_PASSED.search(text) else Outcome("unknown", "none")
