"""The protocol of `pcsf cso call`: one JSON object a line in, one out.

`{"id", "kind", "input"}` is answered with `{"id", "output"}`, anything else with
`{"id": ID or null, "error": {"code", "message", "at"}}`; an error ends nothing.
A line may refer to earlier ones of its stream: see `cso.call.request`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define, field

from cso import jcs
from cso.call import chains, numbers, states, windowed
from cso.call.request import Earlier, InputError, Line
from cso.decode import DEFAULT_LIMITS
from cso.errors import CsoError

__all__ = ["Exchange", "Handler"]

Handler = Callable[[dict[str, Any], Earlier], dict[str, Any]]


_HANDLERS = {
    **chains.HANDLERS,
    **numbers.HANDLERS,
    **states.HANDLERS,
    **windowed.HANDLERS,
}
_TOO_DEEP = InputError("references or values nest too deep", code="limit")


@define
class Exchange:
    """One stream: answers lines, and remembers them for references.

    `more` adds kinds, such as those about capsules, which this package does not
    know.
    """

    more: Mapping[str, Handler] = field(factory=dict)
    earlier: Earlier = field(factory=Earlier)

    def answer(self, line: bytes | str) -> str:
        """Answer one line with one line, without its LF. Never raises for content."""
        try:
            request = jcs.parse(line, max_bytes=DEFAULT_LIMITS.max_bytes)
        except CsoError as error:
            return _text({"id": None, **_error(error)})
        return _text(self.respond(request))

    def respond(self, request: Any) -> dict[str, Any]:
        """Answer a parsed request."""
        name = request.get("id") if isinstance(request, dict) else None
        name = name if isinstance(name, (str, int)) and not isinstance(name, bool) else None
        try:
            kind, given = _request(request, name)
            handler = {**self.more, **_HANDLERS}.get(kind)
            if handler is None:
                raise InputError(f"unknown kind {kind!r:.60}", at="kind", code="kind")
            output = handler(given, self.earlier)
        except CsoError as error:
            return {"id": name, **_error(error)}
        except RecursionError:
            return {"id": name, **_error(_TOO_DEEP)}
        self.earlier.lines[str(name)] = Line(kind, given)
        return {"id": name, "output": output}


def _request(request: Any, name: str | int | None) -> tuple[str, dict[str, Any]]:
    """Check the envelope; other members are ignored."""
    if not isinstance(request, dict):
        raise InputError("expected an object with id, kind and input", code="request")
    if name is None:
        raise InputError("expected a string", at="id", code="request")
    kind, given = request.get("kind"), request.get("input")
    if not isinstance(kind, str):
        raise InputError("expected a string", at="kind", code="request")
    if not isinstance(given, dict):
        raise InputError("expected an object", at="input", code="request")
    return kind, given


def _error(error: CsoError) -> dict[str, Any]:
    return {"error": {"code": error.code, "message": error.message, "at": error.at}}


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
