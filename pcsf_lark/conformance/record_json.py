"""A record as JSON, and back: what `pcsf conformance run --format json` writes.

Laws: `from_json(to_json(run))` is the run, save that times are rounded; the text is
ASCII. Members that are missing are those of a record written before they were
added, so only `title` and `cases` must be there, and of a case its name and result.
Bytes are text where they are UTF-8, Base64 where not.
"""

from __future__ import annotations

import base64
import json
import math
from typing import TYPE_CHECKING, Any

from pcsf_lark.conformance.answer import Excerpt
from pcsf_lark.conformance.case import Expected
from pcsf_lark.conformance.members import brief, member, misfit, shallow, strings
from pcsf_lark.conformance.record import RESULTS, Evidence, Row, Run, Selection

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["from_json", "to_json"]

_NONE: Mapping[str, Any] = {}


def to_json(run: Run) -> str:
    """One object: the counts, what was run, and every case; evidence for wrong answers."""
    chosen = run.selection
    members = {
        "title": run.title,
        **{result: run.count(result) for result in RESULTS},
        "command": list(run.command),
        "role": run.role,
        "level": run.level,
        "version": run.version,
        "suite": run.suite,
        "selection": {
            "run": list(chosen.run),
            "skip": list(chosen.skip),
            "index": list(chosen.index),
            "must_fail": chosen.must_fail,
        },
        "timeout": run.timeout,
        "cases": [_written(row) for row in run.rows],
    }
    return json.dumps(members, indent=1)


def _written(row: Row) -> dict[str, Any]:
    members: dict[str, Any] = {
        "name": row.name,
        "result": row.result,
        "detail": row.detail,
        "spec": row.spec,
        "seconds": round(row.seconds, 4),
    }
    if row.evidence is None:
        return members
    found = row.evidence
    return members | {
        "arguments": list(found.arguments),
        "input": _bytes(found.stdin),
        "lines": found.lines and list(found.lines),
        "files": [{"name": name, **_bytes(data)} for name, data in found.files],
        "expected": _expected(found.expected),
        "answer": {
            "exit": found.exit,
            "output": _bytes(found.output.data, found.output.size),
            "errors": _bytes(found.errors.data, found.errors.size),
        },
    }


def _expected(expected: Expected) -> dict[str, Any]:
    members: dict[str, Any] = {"exit": expected.exit}
    if expected.output is not None:
        members["output"] = _bytes(expected.output)
    if expected.tree is not None:
        members["tree"] = expected.tree
    if expected.codes is not None:
        members["codes"] = sorted(expected.codes)
    return members


def _bytes(data: bytes, size: int | None = None) -> dict[str, Any]:
    """Bytes, and how many there are: more than are there, if this is an excerpt."""
    members: dict[str, Any] = {"bytes": len(data) if size is None else size}
    try:
        members["text"] = data.decode("utf-8")
    except UnicodeDecodeError:
        members["base64"] = base64.b64encode(data).decode("ascii")
    return members


def from_json(text: str) -> Run:
    """The record in a text; ValueError says what is no record in it, where, and what should be."""
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("is JSON nested too deep for a record of a run") from None
    except ValueError as error:
        raise ValueError(f"is no JSON: {error}") from None
    if not isinstance(found, dict) or "title" not in found or "cases" not in found:
        raise ValueError(
            "is no record of a run: expected an object with `title` and `cases`, "
            "as `pcsf conformance run --format json` writes it"
        )
    chosen = member(found, "selection", dict, "", _NONE)
    suite, timeout = found.get("suite"), found.get("timeout")
    return Run(
        title=member(found, "title", str, ""),
        rows=tuple(
            _read(row, f"cases[{number}]")
            for number, row in enumerate(member(found, "cases", list, ""))
        ),
        command=strings(found, "command", ""),
        role=member(found, "role", str, "", ""),
        level=member(found, "level", str, "", ""),
        version=member(found, "version", str, "", ""),
        suite=None if suite is None else member(found, "suite", int, ""),
        selection=Selection(
            run=strings(chosen, "run", "selection."),
            skip=strings(chosen, "skip", "selection."),
            index=strings(chosen, "index", "selection."),
            must_fail=chosen.get("must_fail") is True,
        ),
        timeout=None if timeout is None else member(found, "timeout", float, ""),
    )


def _read(row: object, at: str) -> Row:
    if not isinstance(row, dict):
        raise misfit(at, row, dict)
    result = member(row, "result", str, f"{at}.")
    if result not in RESULTS:
        raise ValueError(f"{at}.result is {brief(result)}; expected one of {', '.join(RESULTS)}")
    seconds = member(row, "seconds", float, f"{at}.", 0.0)
    return Row(
        name=member(row, "name", str, f"{at}."),
        result=result,
        detail=member(row, "detail", str, f"{at}.", ""),
        spec=member(row, "spec", str, f"{at}.", ""),
        seconds=seconds if math.isfinite(seconds) else 0.0,
        evidence=_evidence(row, f"{at}.") if "answer" in row else None,
    )


def _evidence(row: Mapping[str, Any], at: str) -> Evidence:
    right, answer = member(row, "expected", dict, at), member(row, "answer", dict, at)
    inside = f"{at}expected."
    files = member(row, "files", list, at, ())
    tree = right.get("tree")
    if not shallow(tree):
        raise ValueError(f"{inside}tree is nested too deep for a tree of a capsule")
    expected = Expected(
        exit=member(right, "exit", int, inside),
        output=_data(right, "output", inside).data if "output" in right else None,
        tree=tree,
        codes=frozenset(strings(right, "codes", inside)) if "codes" in right else None,
    )
    return Evidence(
        arguments=strings(row, "arguments", at),
        stdin=_data(row, "input", at).data,
        files=tuple(_file(one, f"{at}files[{number}]") for number, one in enumerate(files)),
        expected=expected,
        exit=None if answer.get("exit") is None else member(answer, "exit", int, f"{at}answer."),
        output=_data(answer, "output", f"{at}answer."),
        errors=_data(answer, "errors", f"{at}answer."),
        lines=_lines(row.get("lines"), f"{at}lines"),
    )


def _lines(found: object, at: str) -> tuple[int, int] | None:
    if found is None:
        return None
    match found:
        case [int(first), int(last)] if first <= last:
            return first, last
    raise ValueError(f"{at} is {brief(found)}; expected the first and the last line, or null")


def _file(found: object, at: str) -> tuple[str, bytes]:
    if not isinstance(found, dict):
        raise misfit(at, found, dict)
    return member(found, "name", str, f"{at}."), _excerpt(found, at).data


def _data(members: Mapping[str, Any], name: str, at: str) -> Excerpt:
    return _excerpt(member(members, name, dict, at), at + name)


def _excerpt(found: Mapping[str, Any], at: str) -> Excerpt:
    if "base64" in found:
        try:
            data = base64.b64decode(member(found, "base64", str, f"{at}."), validate=True)
        except ValueError:
            raise ValueError(f"{at}.base64 is no Base64") from None
    else:
        data = member(found, "text", str, f"{at}.").encode("utf-8", "surrogatepass")
    return Excerpt(data, max(member(found, "bytes", int, f"{at}.", 0), len(data)))
