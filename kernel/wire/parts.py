"""Reading the parts of one host message into core messages.

Law: reasoning, calls and results are one core message each; a run of any other parts is
one text, so that what belongs together stays together.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernel.wire.history import Builder, flat_text

__all__ = ["PartReader"]


class PartReader:
    """Adds the parts of an item to a builder, in order; `finish` ends the item."""

    def __init__(
        self,
        build: Builder,
        item: int,
        role: str,
        parts: Sequence[Any],
        is_picture: Callable[[Mapping[str, Any]], bool],
    ) -> None:
        """Start on an item."""
        self._build, self._item, self._role, self._parts = build, item, role, parts
        self._is_picture = is_picture
        self._run: list[int] = []

    def pictures(self, parts: Any) -> dict[str, Any]:
        """Return the count of pictures among parts, as extra."""
        found = parts if isinstance(parts, list) else []
        count = sum(isinstance(part, Mapping) and self._is_picture(part) for part in found)
        return {"images": count} if count else {}

    def other(self, number: int) -> None:
        """Take a part that is neither reasoning nor call nor result."""
        self._run.append(number)

    def reasoning(self, number: int, text: Any, signature: Any, **extra: Any) -> None:
        """Take a reasoning; a signature seals it."""
        sealed = {"signature": signature} if signature else {}
        self._add(number, "assistant", "reasoning", str(text or ""), extra={**sealed, **extra})

    def call(self, number: int, text: str, tool: Any, call: Any) -> None:
        """Take a call."""
        self._add(number, "assistant", "tool-call", text, tool=tool, call=call)

    def result(self, number: int, text: str, tool: Any, call: Any, content: Any = None) -> None:
        """Take a result."""
        extra = self.pictures(content)
        self._add(number, "tool", "tool-result", text, tool=tool, call=call, extra=extra)

    def finish(self) -> None:
        """End the item; an empty one still leaves an empty text."""
        self._flush()
        if not self._parts:
            self._build.add(self._item, (), self._role, "text", "")

    def _add(self, number: int, role: str, kind: str, text: str, **more: Any) -> None:
        self._flush()
        self._build.add(self._item, (number,), role, kind, text, **more)

    def _flush(self) -> None:
        if self._run:
            chosen = [self._parts[number] for number in self._run]
            extra = self.pictures(chosen)
            place = tuple(self._run)
            self._build.add(self._item, place, self._role, "text", flat_text(chosen), extra=extra)
            self._run = []
