"""The names of calls: what a wire accepts, and what calls and results without one get.

Laws: a name is kept where the wire accepts it; a result bears the name its call goes out
with; a call without a name and without an answer goes out as text, never as a call.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from kernel.model import CoreMessage

__all__ = ["Names", "called", "nameless"]


@frozen
class Names:
    """What a wire accepts as a call id: a longest length, a pattern, once in a history.

    Within one turn ids are unique on every wire, or results could not be told apart.
    """

    unique: bool = False
    longest: int = 0
    allowed: re.Pattern[str] | None = None

    def fits(self, name: str, used: set[str]) -> bool:
        """Tell whether a name may be used."""
        if name in used:
            return False
        if self.longest and len(name) > self.longest:
            return False
        return self.allowed is None or self.allowed.fullmatch(name) is not None

    def given(self, name: str, used: set[str]) -> str:
        """Return a name that may be used, the same one if possible."""
        if self.fits(name, used):
            return name
        base = re.sub(r"[^a-zA-Z0-9_-]", "_", name) if self.allowed else name
        if self.longest and len(base) > self.longest - 4:
            digest = hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()
            base = "call_" + digest[:24]
        for number in range(len(used) + 2):
            candidate = f"{base}_{number}" if number else base
            if candidate and self.fits(candidate, used):
                return candidate
        return base


def nameless(view: Sequence[CoreMessage]) -> dict[int, int]:
    """Pair calls without an id with the results without one that follow, in order."""
    partner: dict[int, int] = {}
    waiting: list[int] = []
    for index, message in enumerate(view):
        if message.content_type != "tool-result":
            if message.role != "assistant" or view[index - 1].content_type == "tool-result":
                waiting = []
            if message.content_type == "tool-call" and not message.tool_call_id:
                waiting.append(index)
        elif not message.tool_call_id and waiting:
            call = waiting.pop(0)
            partner[call], partner[index] = index, call
    return partner


def called(view: Sequence[CoreMessage], partner: Mapping[int, int]) -> Sequence[CoreMessage]:
    """Give each result the name of its call's tool: some wires match an answer by it."""
    named = list(view)
    for index, other in partner.items():
        tool = view[other].tool_name
        if view[index].content_type == "tool-result" and view[index].tool_name != tool:
            named[index] = evolve(view[index], tool_name=tool)
    return named
