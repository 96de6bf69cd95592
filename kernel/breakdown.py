"""Where the tokens of a view are, by class of content.

Law: each message belongs to one class, the first that fits: summaries, tool, system,
code (a text with a fence), text.
"""

from collections.abc import Sequence

from attrs import frozen

from kernel.model import SUMMARY_HEADER, CoreMessage
from kernel.recommend import Sized

__all__ = ["ContextBreakdown", "breakdown_of", "class_of"]


@frozen
class ContextBreakdown:
    """Where the tokens of a view are, by class; `total` and `growth` are the host's count."""

    system: int = 0
    tool: int = 0
    summaries: int = 0
    code: int = 0
    text: int = 0
    total: float = 0
    growth: float = 0


def class_of(message: CoreMessage) -> str:
    """Name the class whose tokens a message belongs to."""
    text = message.text or ""
    if text[:1] == "[" and text.startswith(SUMMARY_HEADER):
        return "summaries"
    if message.content_type in ("tool-call", "tool-result"):
        return "tool"
    if message.role == "system":
        return "system"
    return "code" if "```" in text else "text"


def breakdown_of(messages: Sequence[CoreMessage], sizes: Sized) -> ContextBreakdown:
    """Sum the tokens of a view by class."""
    tool = text = 0
    rest: dict[str, int] = {}
    for message, tokens in zip(messages, sizes.tokens, strict=True):
        name = class_of(message)
        if name == "tool":
            tool += tokens
        elif name == "text":
            text += tokens
        else:
            rest[name] = rest.get(name, 0) + tokens
    return ContextBreakdown(tool=tool, text=text, **rest)
