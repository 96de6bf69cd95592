"""Host message shapes ↔ core messages, both ways, and the words of reminders.

    history = decode("anthropic", body)          # body: JSON text or a decoded value
    turn = process_turn(history.messages, state, config, tokens)
    body = encode(turn.messages, history)        # same wire: a text again, slices kept

Law: what the kernel did not change goes back byte for byte. Wires read raw histories; a
view that was already sent is no input.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernel.model import CoreMessage
from kernel.wire import anthropic, gemini, openai, pi, responses
from kernel.wire.detect import detect
from kernel.wire.history import History, Origin
from kernel.wire.nudge_text import RULES, render_nudge, rules_text
from kernel.wire.source import plain, spell

__all__ = [
    "RULES",
    "WIRES",
    "History",
    "Origin",
    "decode",
    "decode_value",
    "detect",
    "encode",
    "encode_value",
    "render_nudge",
    "rules_text",
]

_DECODERS: Mapping[str, Callable[[Any], History]] = {
    "openai": openai.decode,
    "responses": responses.decode,
    "anthropic": anthropic.decode,
    "gemini": gemini.decode,
    "pi": pi.decode,
}
_ENCODERS: Mapping[str, Callable[[Sequence[CoreMessage], History | None], Any]] = {
    "openai": openai.encode,
    "responses": responses.encode,
    "anthropic": anthropic.encode,
    "gemini": gemini.encode,
    "pi": pi.encode,
}
#: The names of the wires.
WIRES = tuple(_DECODERS)


def _known(wire: str) -> str:
    if wire not in _DECODERS:
        raise ValueError(f"no wire is called {wire!r}: use one of {', '.join(WIRES)}")
    return wire


def decode(wire: str, body: Any) -> History:
    """Read a body of a wire, JSON text or a decoded value, into core messages.

    Raises ValueError for an unknown wire.

    >>> from kernel.wire import decode, encode
    >>> body = '{"messages": [{"role": "user", "content": "Use UTC."}]}'
    >>> history = decode("openai", body)
    >>> history.messages[0].text
    'Use UTC.'
    >>> encode(history.messages, history) == body
    True
    """
    return _DECODERS[_known(wire)](body)


def encode(view: Sequence[CoreMessage], history: History | None, wire: str | None = None) -> str:
    """Return the JSON text of a body that shows a view; by default in the history's wire.

    Raises ValueError for an unknown wire, or where there is neither a wire nor a history.
    """
    return spell(_tree(view, history, wire))


def decode_value(wire: str, body: Any) -> History:
    """Read a decoded body; the same as `decode`."""
    return decode(wire, body)


def encode_value(
    view: Sequence[CoreMessage], history: History | None, wire: str | None = None
) -> Any:
    """Return a body that shows a view as a value; raises ValueError as `encode` does."""
    return plain(_tree(view, history, wire))


def _tree(view: Sequence[CoreMessage], history: History | None, wire: str | None) -> Any:
    if wire is None:
        if history is None:
            raise ValueError("name the wire: there is no history to take it from")
        wire = history.format
    return _ENCODERS[_known(wire)](view, history)
