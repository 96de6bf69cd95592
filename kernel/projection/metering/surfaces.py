"""Surfaces: messages as a wire's own serializer writes them, measured.

    surface_of(pi_messages, "anthropic")     # a frozen request body, never sent

Laws: the body is what `kernel.wire` would send; the messages are measured as they stand
between others, so nothing a body needs at its ends is counted; text is what a model may
read of it, without ids, types, signatures and thoughts, which a provider may drop.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from attrs import frozen

from kernel.projection.metering.weight import Weight, total, weigh
from kernel.wire import History, decode, encode_value
from kernel.wire.source import compact

__all__ = ["Surface", "surface_of", "surfaces_of"]

_ITEMS: Final[Mapping[str, str]] = {
    "openai": "messages",
    "responses": "input",
    "anthropic": "messages",
    "gemini": "contents",
}
#: A question before what is measured keeps every body whole; it is taken off again.
_LEAD: Final[Mapping[str, Any]] = {"role": "user", "content": "?"}
#: Members that are text to a model, and those that are arguments of a call.
_TEXTS: Final = frozenset({"text", "content", "arguments", "name", "output"})
_ARGUMENTS: Final = frozenset({"input", "args"})
_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking", "reasoning"})
_PARTS: Final = frozenset(
    {"tool_use", "tool_result", "function", "function_call", "function_call_output"}
)
#: Bytes of the envelope that a first message may share with the question.
_JOINT: Final = 64
_GEMINI_PARTS: Final = frozenset({"functionCall", "functionResponse"})


@frozen
class Surface:
    """What a wire makes of messages: its text, and the bytes of the whole JSON, at most."""

    wire: str
    text: Weight
    serialized: int


def surface_of(messages: Sequence[Mapping[str, Any]], wire: str) -> Surface:
    """Return the surface of Pi messages on a wire."""
    return surfaces_of(messages, (wire,))[0]


def surfaces_of(messages: Sequence[Mapping[str, Any]], wires: Iterable[str]) -> tuple[Surface, ...]:
    """Return the surfaces of Pi messages on several wires."""
    history = decode("pi", {"messages": [_LEAD, *messages]})
    return tuple(_measured(history, wire) for wire in wires)


def _measured(history: History, wire: str) -> Surface:
    body = encode_value(history.messages, history, wire)[_ITEMS[wire]]
    found: list[Weight] = []
    for item in body:
        _walk(item, found)
    whole = total(found)
    size = _bytes(body) - _lead_bytes(wire)
    # The question's own byte and message are no part of the surface.
    text = Weight(
        max(0, whole.narrow - 1),
        whole.wide,
        whole.idle,
        max(0, len(body) - 1),
        sum(map(_calls, body)),
        idle_wide=whole.idle_wide,
    )
    return Surface(wire, text, max(0, size) + _JOINT)


@cache
def _lead_bytes(wire: str) -> int:
    history = decode("pi", {"messages": [_LEAD]})
    return _bytes(encode_value(history.messages, history, wire)[_ITEMS[wire]])


def _bytes(value: Any) -> int:
    return len(compact(value).encode("utf-8", "surrogatepass"))


def _walk(value: Any, found: list[Weight]) -> None:
    """Collect the weights of all texts of a body's item."""
    if isinstance(value, list):
        for item in value:
            _walk(item, found)
        return
    if not isinstance(value, Mapping) or value.get("type") in _THOUGHTS or value.get("thought"):
        return
    for key, item in value.items():
        if key in _ARGUMENTS:
            found.append(weigh(compact(item)))
        elif key in _TEXTS and isinstance(item, str):
            found.append(weigh(item))
        elif isinstance(item, list | Mapping):
            _walk(item, found)


def _calls(value: Any) -> int:
    """Count the calls and results of a body's item."""
    if isinstance(value, list):
        return sum(map(_calls, value))
    if not isinstance(value, Mapping):
        return 0
    own = value.get("type") in _PARTS or value.get("role") == "tool"
    own = own or any(key in value for key in _GEMINI_PARTS)
    if own:
        return 1
    inner = (value.get(key) for key in ("content", "parts", "tool_calls"))
    return sum(_calls(item) for item in inner if isinstance(item, list))
