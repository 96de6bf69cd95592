"""A conversation made ready for the extractors: texts, origins, actions, places.

Laws: every message is normalised once; what is quoted is quoted from the normal text.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from kernel.model import NOTHING, CoreMessage, as_tuple
from kernel.projection.quality.actions import Action, actions_of
from kernel.projection.quality.facts import Fact, Kind
from kernel.projection.quality.origins import origin_of
from kernel.projection.quality.spans import Ruler, Span, normalise

__all__ = ["Action", "Reading", "fact_of", "read"]


@frozen
class Reading:
    """A conversation: messages, their normal texts and origins, and what was run."""

    messages: tuple[CoreMessage, ...] = field(converter=as_tuple)
    texts: tuple[str, ...] = field(converter=as_tuple)
    origins: tuple[str, ...] = field(converter=as_tuple)
    actions: tuple[Action, ...] = field(converter=as_tuple)
    source: Callable[[str], str]
    rulers: dict[int, Ruler] = field(factory=dict)

    def span(self, index: int, start: int, end: int) -> Span:
        """Return the span of code points of a message."""
        ruler = self.rulers.get(index)
        if ruler is None:
            ruler = self.rulers[index] = Ruler(self.texts[index])
        return ruler.span(start, end)

    def spoken(self, *origins: str) -> list[int]:
        """Return the indices of text messages of the given origins."""
        return [
            at
            for at, message in enumerate(self.messages)
            if message.content_type == "text" and self.origins[at] in origins
        ]


def fact_of(
    reading: Reading,
    kind: Kind,
    subkind: str,
    place: tuple[int, int, int],
    *,
    key: str,
    value: str | None = None,
    **more: Any,
) -> Fact:
    """Quote a fact: `place` is the message's index and a half-open range of code points."""
    index, start, end = place
    text = reading.texts[index][start:end]
    name = reading.messages[index].id
    return Fact(
        kind, subkind, text, text if value is None else value, name, reading.source(name), index,
        reading.span(index, start, end), key, reading.origins[index], **more,
    )  # fmt: skip


def read(
    messages: Sequence[CoreMessage],
    source: Callable[[str], str],
    marks: Mapping[str, bool] = NOTHING,
) -> Reading:
    """Read a conversation; `marks` tell of result messages whether the host marked an error."""
    texts = [normalise(message.text or "") for message in messages]
    origins = [origin_of(messages, at, text) for at, text in enumerate(texts)]
    actions = actions_of(messages, texts, origins, marks)
    return Reading(messages, texts, origins, actions, source)
