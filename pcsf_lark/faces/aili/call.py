"""The projection over lines of JSON: how a host in any language embeds it.

    {"id", "op", "log", "leaf"?, "input", "write"?: true}
    {"id", "output", "catalogId", "leaf"}        or {"id", "error": {"code", "message", "at"}}

Optional members tell what only a host knows: `callId` and `siblings` (the tool call of the
current assistant message and how many calls it has), `permit` (true: the user permits one
summary). Laws: one line, one answer, in order; a bad line ends nothing; nothing is appended
without `write`, and without it a mutator's answer holds what would be; strict JSON: no NaN,
no byte order mark, no member twice; a line is bounded.
"""

from __future__ import annotations

import json
import math
from typing import IO, TYPE_CHECKING, Any, Final

from attrs import evolve

from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.log.spelling import stringify
from kernel.projection.log.storage import (
    LeafMovedError,
    LogLockedError,
    ReadOnlyLogError,
    TornWriteError,
)
from pcsf_lark.faces.aili.known import Known
from pcsf_lark.faces.aili.log import UnknownLeaf
from pcsf_lark.faces.aili.ops import OPS, Request
from pcsf_lark.faces.files import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pcsf_lark.faces.aili.log import Given

__all__ = ["LONGEST", "Caller", "answer_stream"]

#: Bytes of a line, at most; a summary has 65,536 characters.
LONGEST: Final = 4 << 20
_MEMBERS: Final[Mapping[str, tuple[type, ...]]] = {
    "id": (str, int, float, type(None)),
    "op": (str,),
    "log": (str,),
    "leaf": (str, type(None)),
    "input": (dict,),
    "write": (bool,),
    "callId": (str, type(None)),
    "siblings": (int,),
    "permit": (bool,),
}
_WORDS: Final[Mapping[type, str]] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    dict: "an object",
    bool: "true or false",
    type(None): "null",
}
#: The largest whole number that every JSON reader gives back as it was.
_MOST: Final = 2**53 - 1
_REQUIRED: Final = ("op", "log", "input")


class _BadLine(Exception):  # noqa: N818 - it never leaves this module
    """A line that is no request: a code, what to mend, and where."""

    def __init__(self, code: str, message: str, at: str | int) -> None:
        super().__init__(code)
        self.code, self.message, self.at = code, message, at


class Caller:
    """What holds for a whole stream: settings and host, and the logs that are open."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.known = Known()

    def answer(self, line: bytes) -> str:
        """Answer one line with one line, without its end."""
        name: Any = None
        try:
            request = _request(line)
            name = _id_of(request)
            _check(request)
            answer: dict[str, Any] = self._done(request)
        except _BadLine as bad:
            answer = {"error": {"code": bad.code, "message": bad.message, "at": bad.at}}
        except Exception as error:  # noqa: BLE001 - one bad line must not end the stream
            told = f"this request cannot be answered ({type(error).__name__})"
            answer = {"error": {"code": "FAILED", "message": told, "at": ""}}
        return stringify({"id": name, **answer})

    def _done(self, request: Mapping[str, Any]) -> dict[str, Any]:
        op = OPS.get(request["op"])
        if op is None:
            raise _BadLine("UNKNOWN_OP", f"no such op: use one of {', '.join(OPS)}", "op")
        given = evolve(self.given, path=request["log"], leaf=request.get("leaf"))
        try:
            now = self.known.opened(given)
            asked = Request(
                request["input"],
                write=request.get("write", False),
                call_id=request.get("callId"),
                siblings=request.get("siblings", 1),
                permit=request.get("permit", False),
            )
            found = op(now, asked)
        except UnknownLeaf as error:
            raise _BadLine("UNREADABLE", error.what, "leaf") from None
        except Trouble as error:
            raise _BadLine("UNREADABLE", error.reason, "log") from None
        except LeafMovedError as error:
            raise _BadLine("leaf-moved", str(error), "log") from None
        except ReadOnlyLogError as error:
            raise _BadLine("read-only-version", str(error), "log") from None
        except TornWriteError as error:
            code = "WRITTEN_IN_PART" if error.written else "NOT_WRITTEN"
            raise _BadLine(code, str(error), "log") from None
        except (OSError, LogLockedError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise _BadLine("NOT_WRITTEN", f"the log took no entry: {reason}", "log") from None
        if isinstance(found, Refusal):
            refs = f" [{' '.join(found.refs)}]" if found.refs else ""
            raise _BadLine(found.code, f"{found.message}{refs}", _place(found.code))
        snapshot = found.after
        return {
            "output": found.output,
            "catalogId": snapshot.catalog.catalog_id,
            "leaf": snapshot.leaf,
        }


#: Refusals that are about the log, not about the input.
_OF_LOG: Final = frozenset(
    ("aili-off", "empty-log", "read-only-version", "not-sole-call", "not-current-call")
)


def _place(code: str) -> str:
    return "log" if code in _OF_LOG else "input"


def answer_stream(stream: IO[bytes], caller: Caller) -> Iterator[str]:
    """Answer a stream line by line; blank lines are passed over."""
    while line := stream.readline(LONGEST + 1):
        if len(line) > LONGEST and not line.endswith(b"\n"):
            _pass_over(stream)
            yield caller.answer(line)
        elif line.strip():
            yield caller.answer(line)


def _pass_over(stream: IO[bytes]) -> None:
    while rest := stream.readline(LONGEST):
        if rest.endswith(b"\n"):
            return


def _request(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST:
        raise _BadLine("TOO_LONG", f"a line has at most {LONGEST:,} bytes", LONGEST)
    try:
        text = line.decode()
        if text.startswith("\ufeff"):
            raise _BadLine("BAD_JSON", "a byte order mark is no JSON: leave it out", 0)
        request = json.loads(
            text, parse_constant=_refused, parse_float=_finite, object_pairs_hook=_object
        )
    except UnicodeDecodeError as error:
        raise _BadLine("BAD_JSON", "the line is no UTF-8", error.start) from None
    except (ValueError, RecursionError) as error:
        message = getattr(error, "msg", None) or str(error)
        raise _BadLine("BAD_JSON", message, getattr(error, "pos", 0)) from None
    if not isinstance(request, dict):
        raise _BadLine("BAD_REQUEST", "a line is an object with id, op, log and input", "")
    return request


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("a number no double can hold")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has a member twice")
    return found


def _id_of(request: Mapping[str, Any]) -> Any:
    given = request.get("id")
    if isinstance(given, bool) or not isinstance(given, _MEMBERS["id"]):
        raise _BadLine("BAD_REQUEST", "expected a text or a number", "id")
    if isinstance(given, int) and abs(given) > _MOST:
        message = f"no double holds this number exactly: at most {_MOST:,}, or a text"
        raise _BadLine("BAD_REQUEST", message, "id")
    return given


def _check(request: Mapping[str, Any]) -> None:
    for name in _REQUIRED:
        if name not in request:
            raise _BadLine("BAD_REQUEST", f"expected the member {name}", name)
    for name, value in request.items():
        kinds = _MEMBERS.get(name)
        if kinds is None:
            known = ", ".join(_MEMBERS)
            raise _BadLine("BAD_REQUEST", f"an unknown member: a line takes {known}", "")
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            words = " or ".join(_WORDS[kind] for kind in kinds)
            raise _BadLine("BAD_REQUEST", f"expected {words}", name)
    if request.get("siblings", 1) < 1:
        raise _BadLine("BAD_REQUEST", "expected 1 or more: the call itself is one", "siblings")
