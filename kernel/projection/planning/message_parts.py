"""The parts of one message, read into texts, calls and names.

Laws: every text that is sent or kept is read, the arguments of a call as the serializers
spell them; a part of an unknown type may be anything and counts as binary; what is no part
at all makes the message malformed, never an exception.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["Parts"]

_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

#: A control character that JSON spells, which is no spelling of such a spelling.
_SPELLED_CONTROL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u000[0-4]")
#: No form of secret is shorter, and most ids of calls are.
_SHORTEST_SECRET: Final = 16


class Parts:
    """The parts of a message while they are read."""

    __slots__ = (
        "answers",
        "binary",
        "calls",
        "labels",
        "malformed",
        "parts",
        "pictures",
        "split",
        "texts",
        "thoughts",
        "tools",
    )

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.calls: list[str] = []
        self.tools: list[str] = []
        self.labels: list[str] = []
        self.split: list[str] = []
        self.answers: str | None = None
        self.malformed = self.binary = False
        self.parts = self.pictures = 0

    def content(self, content: Any, *, assistant: bool = False) -> None:
        """Read a content: a text, or parts."""
        if isinstance(content, str):
            self.texts.append(content)
        elif isinstance(content, list):
            for part in content:
                self.part(part, assistant=assistant)
        else:
            self.malformed = True

    def part(self, part: Any, *, assistant: bool) -> None:
        """Read a part; one of an unknown type may be anything and counts as binary."""
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text":
            self.text(part.get("text"))
        elif kind == "image":
            self.pictures += 1
            self.binary = True
        elif kind == "thinking" and assistant:
            thought = part.get("thinking", "")
            if isinstance(thought, str):
                self.thoughts.append(thought)
            else:
                self.malformed = True
        elif kind == "toolCall" and assistant:
            self.call(part)
        else:
            self.binary = True
            self.malformed = self.malformed or not isinstance(kind, str)

    def text(self, text: Any) -> None:
        """Read a text of its own."""
        if isinstance(text, str):
            self.texts.append(text)
            self.split.append(text)
        else:
            self.malformed = True

    def label(self, name: Any) -> None:
        """Read a name that is no text of the message, but is sent or kept with it."""
        if isinstance(name, str) and len(name) >= _SHORTEST_SECRET:
            self.labels.append(name)

    def call(self, part: Mapping[str, Any]) -> None:
        """Read a call: its arguments are text as the serializers spell them."""
        call, name, arguments = part.get("id"), part.get("name"), part.get("arguments", {})
        if not (isinstance(call, str) and call and isinstance(name, str) and name):
            self.malformed = True
        self.calls.append(str(call or ""))
        self.tools.append(str(name or ""))
        self.label(call)
        self.parts += 1
        try:
            spelled = _ENCODE(arguments)
        except RecursionError:
            spelled, self.malformed = "", True
        if not isinstance(arguments, dict):
            self.malformed = True
        if "\\u000" in spelled and _SPELLED_CONTROL.search(spelled):
            self.binary = True
        self.texts += (str(name or ""), spelled)
