"""Walking over messages: one method a kind, one new list.

Laws: a visitor sees each message once, in order; it answers with the message to keep,
another one, or None to leave it out; a walk that changes nothing returns the list it
was given, so that "unchanged" costs one identity test.
"""

from collections.abc import Callable, Sequence
from typing import Final

from kernel.model import CoreMessage

__all__ = ["Visitor", "walk"]


class Visitor:
    """Answer each message with itself; subclasses override the kinds they care for."""

    def visit_text(self, message: CoreMessage) -> CoreMessage | None:
        """Visit a text of any role."""
        return self.visit(message)

    def visit_call(self, message: CoreMessage) -> CoreMessage | None:
        """Visit a tool call."""
        return self.visit(message)

    def visit_result(self, message: CoreMessage) -> CoreMessage | None:
        """Visit a tool result."""
        return self.visit(message)

    def visit_reasoning(self, message: CoreMessage) -> CoreMessage | None:
        """Visit a reasoning."""
        return self.visit(message)

    def visit(self, message: CoreMessage) -> CoreMessage | None:
        """Visit a message no other method takes."""
        return message


_METHODS: Final = {
    "text": "visit_text",
    "tool-call": "visit_call",
    "tool-result": "visit_result",
    "reasoning": "visit_reasoning",
}


def walk(messages: Sequence[CoreMessage], visitor: Visitor) -> Sequence[CoreMessage]:
    """Send a visitor over messages and return what it leaves."""
    other = visitor.visit
    # A kind the visitor does not care for goes straight to `visit`.
    methods: dict[str, Callable[[CoreMessage], CoreMessage | None]] = {
        kind: getattr(visitor, name)
        for kind, name in _METHODS.items()
        if getattr(type(visitor), name) is not getattr(Visitor, name)
    }
    out: list[CoreMessage] = []
    changed = False
    for message in messages:
        answer = methods.get(message.content_type, other)(message)
        if answer is not message:
            changed = True
            if answer is None:
                continue
        out.append(answer)
    return out if changed else messages
