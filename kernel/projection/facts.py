"""What is known of a source by itself: its part in the protocol, its size, what it holds.

    facts = facts_of(source)           # every text of the message read once
    memory = FactsMemory(); memory.of(sources)     # the same, remembered by digest

Laws: facts depend on the message shown and on the counter alone, never on neighbours;
atoms, protection, catalog and pressure read facts, not messages, so that an index can
keep them; a malformed message has facts too.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import frozen

from kernel.model import IMAGE_TOKENS
from kernel.ports import Counter, count_tokens
from kernel.projection.binary import binary_in
from kernel.projection.metering.weight import NO_WEIGHT, Weight, weigh
from kernel.projection.model import Source
from kernel.projection.secrets import secret_in

__all__ = ["Facts", "FactsMemory", "facts_of"]

#: Tokens a message costs beside its texts, in an estimate.
_ENVELOPE: Final = 4
_ENCODE: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

#: A control character that JSON spells, which is no spelling of such a spelling.
_SPELLED_CONTROL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u000[0-4]")


@frozen
class Facts:
    """One source: `calls` are the ids it calls, `answers` the id it answers.

    `stop` is why an assistant message ended; `tools` the names of tools it calls or
    answers for; `tokens` an estimate by the counter; `weight` what the bounds are made of;
    `secret` the name of a form of secret; `hidden` a message no model is shown.
    """

    digest: str
    role: str
    calls: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    answers: str | None = None
    stop: str | None = None
    malformed: bool = False
    tokens: int = 0
    weight: Weight = NO_WEIGHT
    binary: bool = False
    secret: str | None = None
    hidden: bool = False


class _Reading:
    """The facts of a message while its parts are read."""

    __slots__ = (
        "answers",
        "binary",
        "calls",
        "malformed",
        "parts",
        "pictures",
        "texts",
        "thoughts",
        "tools",
    )

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.calls: list[str] = []
        self.tools: list[str] = []
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
        if isinstance(text, str):
            self.texts.append(text)
        else:
            self.malformed = True

    def call(self, part: Mapping[str, Any]) -> None:
        """Read a call: its arguments are text as the serializers spell them."""
        call, name, arguments = part.get("id"), part.get("name"), part.get("arguments", {})
        if not (isinstance(call, str) and call and isinstance(name, str) and name):
            self.malformed = True
        self.calls.append(str(call or ""))
        self.tools.append(str(name or ""))
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


def facts_of(source: Source, counter: Counter = count_tokens) -> Facts:
    """Return the facts of a source, read from the message as it is shown."""
    message = source.message
    role = message.get("role")
    read = _Reading()
    stop: Any = None
    if role == "assistant":
        stop = message.get("stopReason")
        read.content(message.get("content"), assistant=True)
    elif role == "toolResult":
        _result(read, message)
    elif role in ("user", "custom", "system"):
        read.content(message.get("content"))
    elif role == "bashExecution":
        read.text(message.get("command"))
        read.text(message.get("output"))
    elif role in ("compactionSummary", "branchSummary"):
        read.text(message.get("summary"))
    else:
        read.malformed = True
        read.content(message.get("content"))
    hidden = role == "bashExecution" and bool(message.get("excludeFromContext"))
    return _facts(
        source.digest,
        str(role),
        read,
        stop if isinstance(stop, str) else None,
        counter,
        hidden=hidden,
    )


def _result(read: _Reading, message: Mapping[str, Any]) -> None:
    call, name = message.get("toolCallId"), message.get("toolName")
    read.parts += 1
    if isinstance(call, str) and call:
        read.answers = call
    if isinstance(name, str):
        read.tools.append(name)
    read.content(message.get("content"))


def _facts(
    digest: str, role: str, read: _Reading, stop: str | None, counter: Counter, *, hidden: bool
) -> Facts:
    """Measure what was read, all its texts at once."""
    shown = [text for text in read.texts if text and not text.isspace()]
    text = shown[0] if len(shown) == 1 else "\n".join(shown)
    thought = "\n".join(read.thoughts) if read.thoughts else ""
    every = f"{text}\n{thought}" if thought else text
    tokens = 0
    weight = NO_WEIGHT
    if not hidden:
        tokens = counter(every) + IMAGE_TOKENS * read.pictures + _ENVELOPE
        size = len(thought) if thought.isascii() else len(thought.encode("utf-8", "surrogatepass"))
        # Line ends that only join parts here are no bytes of theirs.
        weight = weigh(text, 1, read.parts, size, len(shown) - 1)
    return Facts(
        digest,
        role,
        tuple(read.calls),
        tuple(read.tools),
        read.answers,
        stop,
        read.malformed,
        tokens,
        weight,
        read.binary or binary_in(every),
        secret_in(every),
        hidden,
    )


class FactsMemory:
    """Facts remembered by source digest, oldest first forgotten.

    A context edit changes what is shown but no digest: facts are used again only for an
    equal message.
    """

    def __init__(self, counter: Counter = count_tokens, size: int = 65536) -> None:
        """Remember up to `size` sources, counted by one counter."""
        self._counter, self._size = counter, size
        self._known: dict[str, tuple[Mapping[str, Any], Facts]] = {}

    def one(self, source: Source) -> Facts:
        """Return the facts of a source."""
        known = self._known.get(source.digest)
        if known is not None and (known[0] is source.message or known[0] == source.message):
            return known[1]
        if len(self._known) >= self._size:
            del self._known[next(iter(self._known))]
        facts = facts_of(source, self._counter)
        self._known[source.digest] = (source.message, facts)
        return facts

    def of(self, sources: Iterable[Source]) -> tuple[Facts, ...]:
        """Return the facts of sources, in order."""
        return tuple(map(self.one, sources))
