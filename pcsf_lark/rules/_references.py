"""Phrases that point out of a capsule, for the rule Q013."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pcsf_lark.rules._rule import Finding
from pcsf_lark.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule, Node

__all__ = ["find"]

#: Bits one of which every of the patterns' matches holds.
_BITS = ("://", "www.", "above", "aforementioned", "attach", "below", "chat", "conversation", "discuss",
            "earlier", "the link", "see link", "mentioned", "previous", "talked", "looked at", "spoke about", "last ")  # fmt: skip
_ADDRESS = re.compile(r"\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s,;)\"']+", re.IGNORECASE)
_TALK = r"(?:chat|conversation|discussion|session|thread|transcript)"
_PHRASE = re.compile(
    r"\b(?:"
    r"(?:see|as|noted|listed|described|mentioned|stated|discussed|given|shown) (?:above|below|earlier|previously)"
    r"|(?:the )?(?:above|below)[- ]mentioned|aforementioned"
    r"|as (?:we )?(?:discussed|mentioned|talked about)"
    r"|(?:that |which )?(?:we|you|i) (?:just |already )?(?:discussed|mentioned|talked about|looked at|spoke about)"
    r"|(?:see |the )?attach(?:ed|ment)s?(?: (?:file|document|image|screenshot|log))?"
    rf"|(?:previous|earlier|last) (?:message|reply|answer|response|{_TALK})"
    rf"|(?:above|earlier) in (?:the|this|our) {_TALK}"
    rf"|(?:this|our) (?:chat|conversation)"
    r"|(?:see |the )(?:link|linked)(?: (?:page|document|file))?"
    r")\b",
    re.IGNORECASE,
)


def find(capsule: Capsule) -> Iterator[Finding]:
    """A finding a field: its first address, or else its first phrase."""
    for node, name, text in _fields(capsule):
        lower = text.lower()
        if not any(bit in lower for bit in _BITS):
            continue  # the patterns are slow
        address = _ADDRESS.search(text)
        found = address or _PHRASE.search(text)
        whole = node.field_span(name)
        if found is None or whole is None:
            continue
        start, end = found.span()
        span = Span(
            whole.offset + start, whole.offset + end, whole.line, whole.column + start,
            whole.line, whole.column + end,
        )  # fmt: skip
        if address:
            yield Finding(
                span,
                "a web address: a capsule must do without what lies behind it",
                "write what it says in a few words",
            )
        else:
            yield Finding(
                span,
                f"`{found.group()}` points to what the next reader does not have",
                "write what it stands for in a few words",
            )


def _fields(capsule: Capsule) -> Iterator[tuple[Node, str, str]]:
    """Every free text of a capsule: its node, the field's name, the text."""
    yield capsule.meta, "topic", capsule.meta.topic
    yield capsule.meta, "domain", capsule.meta.domain
    for entry in capsule.skeleton:
        yield entry, "fact", entry.fact
        yield entry, "reason", entry.reason
    for rejected in capsule.negative:
        yield rejected, "option", rejected.option
        yield rejected, "reason", rejected.reason
        yield rejected, "lesson", rejected.lesson
    for held in capsule.internal:
        yield held, "content", held.content
    for axis in capsule.relation:
        yield axis, "state", axis.state
    for loop in capsule.loops:
        yield loop, "description", loop.description
    yield capsule.seed, "text", capsule.seed.text
