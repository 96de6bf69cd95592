"""The projection as a body: for Pi as it is, for the other wires settled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.codec import to_json
from kernel.wire import encode_value

if TYPE_CHECKING:
    from kernel.projection.snapshot import Snapshot

__all__ = ["body"]


def body(snapshot: Snapshot, name: str) -> Any:
    """The view in the shape of a wire, or `json` for the kernel's own messages, always an object.

    For Pi, the exact messages; elsewhere calls without a result are left out, as no
    provider takes them.
    """
    found = snapshot.projection
    if name == "pi":
        return {"messages": list(found.messages)}
    if name == "json":
        return {"messages": to_json(list(found.settled))}
    return encode_value(found.settled, found.history, name)
