"""One call of the kernel as JSON: the protocol by which a host in any language embeds it.

A line `{"id", "op", "input"}` is answered by `{"id", "output"}`, a bad one by
`{"id", "error": {"code", "message", "at"}}`; the stream goes on either way. Shapes are
those of the recorded cases. `{"$fill": [unit, n]}` in an input stands for `unit`
repeated and cut to n UTF-16 units. Law: pure; the time is an argument.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from kernel.call.ops import OPS, CallError, Host
from kernel.codec import config_from_json
from kernel.config import Config
from kernel.model import NOTHING
from kernel.ports import Ports
from kernel.text import head, units

__all__ = ["CLOCK", "Caller", "answer_line", "answer_lines", "expand"]

CLOCK = 1700000000000
_LONGEST = 100_000_000


@frozen
class Caller:
    """What holds for a whole stream: default configuration, the time, the ports."""

    config: Mapping[str, Any] = NOTHING
    now: float = CLOCK
    ports: Ports = field(factory=Ports)

    def base(self) -> Config:
        """Return the defaults under the stream's overrides."""
        return config_from_json(self.config)


def expand(value: Any) -> Any:
    """Replace every `{"$fill": [unit, n]}` in a JSON value by the text it stands for."""
    if isinstance(value, Mapping):
        if value.keys() == {"$fill"}:
            unit, size = value["$fill"]
            if not 0 <= size <= _LONGEST:
                message = f"a $fill of {size} units: at least 0, at most {_LONGEST:,}"
                raise CallError("BAD_INPUT", message, "input")
            return head(unit * (size // max(1, units(unit)) + 1), size)
        return {key: expand(item) for key, item in value.items()}
    if isinstance(value, list):
        return [expand(item) for item in value]
    return value


def answer_lines(lines: Iterable[str | bytes], caller: Caller | None = None) -> Iterator[str]:
    """Answer a stream line by line, text or UTF-8; blank lines are passed over."""
    caller = Caller() if caller is None else caller
    for line in lines:
        if line.strip():
            yield answer_line(line, caller)


def answer_line(line: str | bytes, caller: Caller | None = None) -> str:
    """Answer one line of the protocol with one line of JSON, without its line end."""
    caller = Caller() if caller is None else caller
    request_id: Any = None
    try:
        request = _request(line)
        request_id = _id_of(request)
        return _spelled({"id": request_id, "output": _answer(request, caller)})
    except CallError as error:
        problem = {"code": error.code, "message": error.message, "at": error.at}
    except Exception as error:  # noqa: BLE001 - one bad line must not end the stream
        message = (
            f"the input does not have the shape of its op ({type(error).__name__}: {error}); "
            "see the cases of this op"
        )
        problem = {"code": "BAD_INPUT", "message": message, "at": "input"}
    return _spelled({"id": request_id, "error": problem})


def _request(line: str | bytes) -> Mapping[str, Any]:
    """Read a line; NaN and infinities are no JSON, a byte order mark is none of its text."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        request = json.loads(text.removeprefix("\ufeff"), parse_constant=_refused)
    except UnicodeDecodeError as error:
        raise CallError("BAD_JSON", f"the line is no UTF-8: {error}", error.start) from None
    except (ValueError, RecursionError) as error:
        raise CallError("BAD_JSON", str(error), getattr(error, "pos", 0)) from None
    if not isinstance(request, Mapping):
        message = "a line must be a JSON object with id, op and input"
        raise CallError("BAD_REQUEST", message, "")
    return request


def _id_of(request: Mapping[str, Any]) -> Any:
    given = request.get("id")
    sound = given is None or isinstance(given, str | int | float)
    if sound and not (isinstance(given, float) and not math.isfinite(given)):
        return given
    raise CallError("BAD_REQUEST", "an id is a text or a finite number", "id")


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


def _answer(request: Mapping[str, Any], caller: Caller) -> Any:
    name = request.get("op")
    op = OPS.get(name) if isinstance(name, str) else None
    if op is None:
        raise CallError("UNKNOWN_OP", f"op {name!r} is unknown: use one of {', '.join(OPS)}", "op")
    data = request.get("input")
    if not isinstance(data, Mapping):
        raise CallError("BAD_INPUT", "input must be a JSON object", "input")
    return op(expand(data), Host(caller.base(), caller.now, caller.ports))


def _spelled(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text if _encodable(text) else json.dumps(value, separators=(",", ":"), allow_nan=False)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
