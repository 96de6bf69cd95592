"""An answer against the right one: passed, failed, or broken.

Laws: only exit codes 0 and 1 are answers. A command that was killed, had to be
stopped, or ended with another code gave none; nor did one that ended with 1 and
left the trace of a crash on standard error. Exit code 0 is never a crash's, so
what stands on standard error beside it is not looked at.
"""

from __future__ import annotations

import json
import reprlib
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import field, frozen

from pcsf_lark.conformance.answer import Excerpt
from pcsf_lark.conformance.crashes import crashed

if TYPE_CHECKING:
    from pcsf_lark.conformance.answer import Answer
    from pcsf_lark.conformance.case import Case

__all__ = ["Outcome", "judge"]

_ROOM, _DETAIL = 200, 400
#: Bytes of each stream that are kept: more than any right answer but a tree has.
_KEPT = 2_000
_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = 120
_brief = _REPR.repr


@frozen
class Outcome:
    """What became of a case: ``passed``, ``failed``, ``broken`` or ``skipped``, and why.

    ``exit`` is the exit code, ``told`` the last line of standard error;
    ``output`` is how standard output begins, ``errors`` how standard error ends.

    Attributes:
        case: The case.
        result: The word above.
        detail: Why, where it did not pass.
        seconds: How long the command took.
    """

    case: Case
    result: str
    detail: str = ""
    seconds: float = field(default=0.0, eq=False)
    exit: int | None = None
    told: str = ""
    output: Excerpt = field(factory=Excerpt)
    errors: Excerpt = field(factory=Excerpt)


def judge(case: Case, answer: Answer) -> Outcome:
    """Compare a command's answer with the right one.

    >>> from pcsf_lark.conformance import Answer, cases, judge
    >>> case = cases()[0]
    >>> judge(case, Answer(exit=1 - case.expected.exit, output=b"", errors=b"", seconds=0.1)).result
    'failed'
    """
    told = _told(answer)
    broken = _broken(answer, f": {told}" if told else "")
    detail = broken or _wrong(case, answer)
    result = "broken" if broken else "failed" if detail else "passed"
    return Outcome(
        case,
        result,
        detail[:_DETAIL],
        answer.seconds,
        answer.exit,
        told,
        Excerpt.first(answer.output, _KEPT),
        Excerpt.last(answer.errors, _KEPT),
    )


def _broken(answer: Answer, told: str) -> str:
    if answer.exit is None:
        return answer.trouble or "took too long"
    if answer.exit < 0:
        return f"was killed by signal {-answer.exit}"
    if answer.exit not in (0, 1):
        return f"ended with exit code {answer.exit}; only 0 and 1 are answers{told}"
    return f"crashed{told}" if answer.exit == 1 and crashed(answer.errors) else ""


def _told(answer: Answer) -> str:
    lines = answer.errors.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:_ROOM] if lines else ""


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
        found = _read(answer.output)
    except RecursionError:
        return "standard output is JSON nested too deep"
    except ValueError as error:
        return f"standard output is not JSON: {error}"
    if want.codes is not None:
        codes = found.get("codes") if isinstance(found, dict) else None
        if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
            return 'standard output has no list "codes"'
        return _codes(frozenset(codes), want.codes)
    return _tree(found, want.tree, "")


def _read(output: bytes) -> Any:
    """Read JSON as RFC 8259 has it: UTF-8, each member named once, no NaN."""
    return json.loads(
        output.decode("utf-8"), object_pairs_hook=_members, parse_constant=_no_constant
    )


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError(f"an object has the member {_brief(name)} twice")
        members[name] = value
    return members


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


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
        return f"{where}: {_brief(found)}, expected {_brief(wanted)}"
    return ""


def _difference(found: bytes, wanted: bytes) -> str:
    at = next(
        (n for n, (a, b) in enumerate(zip(found, wanted, strict=False)) if a != b),
        min(len(found), len(wanted)),
    )
    line = wanted[:at].count(b"\n") + 1
    near = (found[at : at + 20], wanted[at : at + 20])
    return f"output differs at byte {at} (line {line}): {near[0]!r}, expected {near[1]!r}"
