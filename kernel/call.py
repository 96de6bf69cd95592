"""One call of the kernel as JSON: the protocol by which a host in any language embeds it.

A line `{"id", "op", "input"}` is answered by `{"id", "output"}`, a bad one by
`{"id", "error": {"code", "message", "at"}}`; the stream goes on either way. Shapes are
those of the recorded cases. `{"$fill": [unit, n]}` in an input stands for `unit`
repeated and cut to n UTF-16 units. Law: pure; the time is an argument.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from kernel.call_ops import OPS, CallError, Host
from kernel.codec import config_from_json
from kernel.config import Config
from kernel.model import NOTHING
from kernel.ports import Ports
from kernel.text import head, units

__all__ = ["CLOCK", "Caller", "answer_line", "answer_lines", "expand"]

CLOCK = 1700000000000


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
            return head(unit * (size // max(1, units(unit)) + 1), size)
        return {key: expand(item) for key, item in value.items()}
    if isinstance(value, list):
        return [expand(item) for item in value]
    return value


def answer_lines(lines: Iterable[str], caller: Caller | None = None) -> Iterator[str]:
    """Answer a stream line by line; blank lines are passed over."""
    caller = Caller() if caller is None else caller
    for line in lines:
        if line.strip():
            yield answer_line(line, caller)


def answer_line(line: str, caller: Caller | None = None) -> str:
    """Answer one line of the protocol with one line of JSON, without its line end."""
    caller = Caller() if caller is None else caller
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        at = getattr(error, "pos", 0)
        return _spelled({"id": None, "error": _error("BAD_JSON", str(error), at)})
    if not isinstance(request, Mapping):
        message = "a line must be a JSON object with id, op and input"
        return _spelled({"id": None, "error": _error("BAD_REQUEST", message, "")})
    request_id = request.get("id")
    try:
        return _spelled({"id": request_id, "output": _answer(request, caller)})
    except CallError as error:
        problem = _error(error.code, error.message, error.at)
    except Exception as error:  # noqa: BLE001 - one bad line must not end the stream
        problem = _error(
            "BAD_INPUT",
            f"the input does not have the shape of its op ({type(error).__name__}: {error}); "
            "see the cases of this op",
            "input",
        )
    return _spelled({"id": request_id, "error": problem})


def _answer(request: Mapping[str, Any], caller: Caller) -> Any:
    name = request.get("op")
    op = OPS.get(name) if isinstance(name, str) else None
    if op is None:
        raise CallError("UNKNOWN_OP", f"op {name!r} is unknown: use one of {', '.join(OPS)}", "op")
    data = request.get("input")
    if not isinstance(data, Mapping):
        raise CallError("BAD_INPUT", "input must be a JSON object", "input")
    return op(expand(data), Host(caller.base(), caller.now, caller.ports))


def _error(code: str, message: str, at: Any) -> dict[str, Any]:
    return {"code": code, "message": message, "at": at}


def _spelled(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text if _encodable(text) else json.dumps(value, separators=(",", ":"), allow_nan=False)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
