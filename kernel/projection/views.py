"""Views on every wire: which laws of the providers a list of Pi messages breaks.

Laws: a projection may break no law that the raw history keeps; a law the log itself
breaks is no fault of a projection.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kernel.validity import check
from kernel.wire import WIRES, decode_value, encode_value

__all__ = ["is_worse", "violations"]

_OWN: Final = "pi"


def violations(messages: Sequence[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Count the laws a view breaks, by wire and code: in Pi's shape and as every wire has it."""
    body = {"messages": list(messages)}
    history = decode_value(_OWN, body)
    found: Counter[tuple[str, str]] = Counter()
    for wire in WIRES:
        view = body if wire == _OWN else encode_value(history.messages, history, wire)
        found.update((wire, wrong.code) for wrong in check(wire, view))
    return found


def is_worse(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a view breaks a law more often than the view before it."""
    found = violations(after)
    return bool(found) and bool(found - violations(before))
