"""A decoded history: core messages and where each came from.

Laws: one core message stands for one call, one result, one reasoning, or one run of
other content of a host message; ids are digests of content, with a counter for repeats,
so that deletions shift nothing; a result carries the name of its call's tool.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from kernel.model import NOTHING, CoreMessage, as_tuple
from kernel.pairs import pair
from kernel.text import repair
from kernel.wire.source import Source

__all__ = ["Builder", "History", "Origin", "flat_text", "message_id"]


@frozen
class Origin:
    """The item and the part of it a core message was read from, and its text then.

    Attributes:
        item: The host message's index.
        part: The place in it.
        text: The core message's text as read.
    """

    item: int
    part: Any
    text: str


@frozen
class History:
    """Core messages with their sources; what `decode` gives and `encode` takes back.

    Attributes:
        format: The wire it was read from.
        messages: The core messages.
        origins: Where each came from, by id.
        source: The body, with its text where it was one.
        system_items: The indices of messages that are instructions.
        system_parts: The texts of a system field.
        custom_call_ids: The calls of custom tools.
    """

    format: str
    messages: tuple[CoreMessage, ...] = field(converter=as_tuple)
    origins: Mapping[str, Origin]
    source: Source
    system_items: tuple[int, ...] = ()
    system_parts: tuple[str, ...] = ()
    custom_call_ids: tuple[str, ...] = ()

    def items_of(self, body: Any) -> Any:
        """Return the list of items of a body in this history's own format."""
        if isinstance(body, Mapping):
            for key in ("messages", "input", "contents"):
                if key in body:
                    return body[key]
        return body


def message_id(message: CoreMessage) -> str:
    """Return the digest id of a message."""
    parts = (
        message.role,
        message.content_type,
        message.tool_call_id or "",
        message.tool_name or "",
        message.text or "",
    )
    raw = "|".join(parts).encode("utf-8", "replace")
    return "h_" + hashlib.sha256(raw).hexdigest()[:16]


def flat_text(content: Any, texts: Sequence[str] = ("text",)) -> str:
    """Return the text of a content: a string, or parts joined by line ends.

    A part without text is named in brackets, so that a reader knows something was there.
    """
    if isinstance(content, str):
        return repair(content)
    if not isinstance(content, list):
        return ""
    lines = []
    for part in content:
        if isinstance(part, str):
            lines.append(part)
        elif isinstance(part, Mapping):
            text = next((part[key] for key in texts if isinstance(part.get(key), str)), None)
            lines.append(text if text is not None else f"[{part.get('type', 'part')}]")
    return repair("\n".join(lines))


class Builder:
    """Collects the core messages of one document."""

    def __init__(
        self, fmt: str, source: Source, ids: Callable[[int], str | None] | None = None
    ) -> None:
        """Start on a source; `ids` may give the id of an item's first message."""
        self.format, self.source = fmt, source
        self._ids = ids
        self._messages: list[CoreMessage] = []
        self._origins: dict[str, Origin] = {}
        self._seen: dict[str, int] = {}
        self.system_items: list[int] = []
        self.system_parts: list[str] = []
        self.custom: list[str] = []

    def add(
        self,
        item: int,
        part: Any,
        role: str,
        kind: str,
        text: str,
        *,
        tool: str | None = None,
        call: str | None = None,
        extra: Mapping[str, Any] = NOTHING,
    ) -> None:
        """Add one core message."""
        message = CoreMessage("", role, kind, repair(text), tool, call, extra)  # type: ignore[arg-type]
        base = self._ids(item) if self._ids is not None else None
        name = base or message_id(message)
        times = self._seen.get(name, 0)
        self._seen[name] = times + 1
        while times and f"{name}_{times}" in self._origins:
            times += 1
        unique = f"{name}_{times}" if times else name
        self._messages.append(evolve(message, id=unique))
        self._origins[unique] = Origin(item, part, message.text or "")

    def system(self, item: int, text: str) -> None:
        """Note an item of the prompt, which is nobody's to fold."""
        self.system_items.append(item)
        if text.strip():
            self.system_parts.append(text)

    @property
    def empty(self) -> bool:
        """Tell whether no message has been added yet."""
        return not self._messages

    def history(self) -> History:
        """Name the tool of every result and finish."""
        messages = list(self._messages)
        for left, right in pair(messages).items():
            call, result = messages[left], messages[right]
            if result.content_type == "tool-result" and result.tool_name is None:
                messages[right] = evolve(result, tool_name=call.tool_name)
        return History(
            self.format,
            messages,
            self._origins,
            self.source,
            tuple(self.system_items),
            tuple(self.system_parts),
            tuple(self.custom),
        )
