"""An answer against the right one: passed, failed, or broken.

Laws: only exit codes 0 and 1 are answers. A command that was killed, ran out
of time, ended with another code, or left the trace of a crash on standard
error gave none, whatever its exit code says.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    from pcsf_lark.conformance.case import Case
    from pcsf_lark.conformance.running import Answer

__all__ = ["Outcome", "judge"]

# Interpreters end a crashed program with exit code 1, and tell of it in these words.
_CRASH = re.compile(
    rb"^Traceback \(most recent call last\):|^Node\.js v\d|^\s+at .+:\d+:\d+\)?$|"
    rb"^Exception in thread |^panic: |panicked at |^Uncaught |^Unhandled exception|"
    rb"Segmentation fault|core dumped|^PHP Fatal |\([A-Z]\w*Error\)$|"
    rb"command not found|^.*: not found$",
    re.MULTILINE,
)
_ROOM = 200


@frozen
class Outcome:
    """What became of a case: ``passed``, ``failed``, ``broken`` or ``skipped``, and why."""

    case: Case
    result: str
    detail: str = ""
    seconds: float = field(default=0.0, eq=False)


def judge(case: Case, answer: Answer) -> Outcome:
    """Compare a command's answer with the right one."""
    broken = _broken(answer)
    if broken:
        return Outcome(case, "broken", broken, answer.seconds)
    detail = _wrong(case, answer)
    return Outcome(case, "failed" if detail else "passed", detail, answer.seconds)


def _broken(answer: Answer) -> str:
    if answer.exit is None:
        return "took too long"
    if answer.exit < 0:
        return f"was killed by signal {-answer.exit}"
    if answer.exit not in (0, 1):
        return f"ended with exit code {answer.exit}; only 0 and 1 are answers{_told(answer)}"
    crash = _CRASH.search(answer.errors) if answer.exit == 1 else None
    return f"crashed{_told(answer)}" if crash else ""


def _told(answer: Answer) -> str:
    lines = answer.errors.decode("utf-8", "replace").strip().splitlines()
    return f": {lines[-1][:_ROOM]}" if lines else ""


def _wrong(case: Case, answer: Answer) -> str:
    """Tell what is wrong with an answer, or nothing."""
    want = case.expected
    if answer.exit != want.exit:
        return f"exit code {answer.exit}, expected {want.exit}{_because(case)}"
    if want.output is not None and answer.output != want.output:
        return _difference(answer.output, want.output)
    if want.tree is None and want.codes is None:
        return ""
    try:
        found = json.loads(answer.output)
    except ValueError as error:
        return f"standard output is not JSON: {error}"
    if want.codes is not None:
        codes = found.get("codes") if isinstance(found, dict) else None
        if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
            return 'standard output has no list "codes"'
        return _codes(frozenset(codes), want.codes)
    return _tree(found, want.tree, "")


def _because(case: Case) -> str:
    return f" (specification {case.spec})" if case.spec else ""


def _codes(found: frozenset[str], wanted: frozenset[str]) -> str:
    missing, extra = sorted(wanted - found), sorted(found - wanted)
    parts = [f"missing {', '.join(missing)}"] if missing else []
    parts += [f"not expected {', '.join(extra)}"] if extra else []
    return f"codes: {'; '.join(parts)}" if parts else ""


def _tree(found: object, wanted: object, path: str) -> str:
    """Tell the first place where two trees differ, types included."""
    where = path or "the whole"
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in [*wanted, *(key for key in found if key not in wanted)]:
            if key not in found or key not in wanted:
                return f"{path}.{key}: {'missing' if key in wanted else 'not expected'}"
            detail = _tree(found[key], wanted[key], f"{path}.{key}")
            if detail:
                return detail
        return ""
    if isinstance(wanted, list) and isinstance(found, list):
        if len(found) != len(wanted):
            return f"{where}: {len(found)} items, expected {len(wanted)}"
        pairs = enumerate(zip(found, wanted, strict=True))
        return next((d for n, (a, b) in pairs if (d := _tree(a, b, f"{path}[{n}]"))), "")
    if type(found) is not type(wanted) or found != wanted:
        return f"{where}: {found!r}, expected {wanted!r}"[: 2 * _ROOM]
    return ""


def _difference(found: bytes, wanted: bytes) -> str:
    at = next(
        (n for n, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b),
        min(len(found), len(wanted)),
    )
    line = wanted[:at].count(b"\n") + 1
    near = (found[at : at + 20], wanted[at : at + 20])
    return f"output differs at byte {at} (line {line}): {near[0]!r}, expected {near[1]!r}"
