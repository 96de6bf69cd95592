"""What is known of a source by itself: its part in the protocol, its size, what it holds.

    facts = facts_of(source)           # every text of the message read once
    memory = FactsMemory(); memory.of(sources)     # the same, remembered by digest

Laws: facts depend on the message shown and on the counter alone, never on neighbours;
atoms, protection, catalog and pressure read facts, not messages, so that an index can
keep them; a malformed message has facts too.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import frozen

from kernel.model import IMAGE_TOKENS
from kernel.ports import Counter, count_tokens
from kernel.projection.metering.weight import NO_WEIGHT, Weight, weigh
from kernel.projection.model import Source
from kernel.projection.planning.binary import binary_in
from kernel.projection.planning.message_parts import Parts
from kernel.projection.planning.secrets import secret_in

__all__ = ["Facts", "FactsMemory", "facts_of"]

#: Tokens a message costs beside its texts, in an estimate.
_ENVELOPE: Final = 4


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


def facts_of(source: Source, counter: Counter = count_tokens) -> Facts:
    """Return the facts of a source, read from the message as it is shown."""
    message = source.message
    role = message.get("role")
    read = Parts()
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
    read.label(message.get("customType"))
    hidden = role == "bashExecution" and bool(message.get("excludeFromContext"))
    return _facts(
        source.digest,
        str(role),
        read,
        stop if isinstance(stop, str) else None,
        counter,
        hidden=hidden,
    )


def _result(read: Parts, message: Mapping[str, Any]) -> None:
    call, name = message.get("toolCallId"), message.get("toolName")
    read.parts += 1
    if isinstance(call, str) and call:
        read.answers = call
    if isinstance(name, str):
        read.tools.append(name)
    read.label(call)
    read.label(name)
    read.content(message.get("content"))


def _facts(
    digest: str, role: str, read: Parts, stop: str | None, counter: Counter, *, hidden: bool
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
        _secret(read, every),
        hidden,
    )


def _secret(read: Parts, every: str) -> str | None:
    """Look for secrets in all that was read; one may be split over the parts of a text."""
    found = secret_in("\n".join((every, *read.labels)) if read.labels else every)
    if found is None and len(read.split) > 1:
        return secret_in("".join(read.split))
    return found


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
