"""Phrases that point out of a capsule, for the rule Q013.

Laws of this file: a word that software, law or trade use for a thing of their
own (a chat, a link, an attachment, the last session) counts only in the
company that makes it the talk's; no pattern may run on without a bound.
"""

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
_BITS = ("://", "www.", "above", "agreed", "attach", "below", "chat", "conversation", "discuss", "earlier",
         "explained", "gave", "last ", "link", "looked at", "mentioned", "noted", "pasted", "previous", "said",
         "screenshot", "sent", "shared", "showed", "spoke about", "talked", "transcript", "uploaded")  # fmt: skip
#: A bucket, a database or a queue is named by its address; what these lead to is to be read.
_ADDRESS = re.compile(r"\b(?:(?:https?|ftp|file)://|www\.)[^\s,;)\"']+", re.IGNORECASE)
_TALK = r"(?:chat|conversation|discussion|session|thread|transcript)"
_SAID = r"(?:discussed|mentioned|talked about|looked at|spoke about)"
_FILE = r"(?:csv|document|doc|file|image|list|log|patch|pdf|photo|picture|report|screenshot|spreadsheet)s?"
#: The clause is at its end, or goes on with a verb or a time: what stands before has no other object.
_ENDS = (
    r"(?=\s*(?:[.,;:)!?]|$)|\s+(?:is|was|are|were|has|had|does|did|must|should|will|needs?|fails?|works?|earlier|before|above"
    r"|yesterday|today|last|in (?:this|our|the)|and|for|so)\b)"
)
#: What stands before is no place or measure of its own: `shown above the fold`, `above 40 C`.
_NO_PLACE = r"(?!\s+(?:\d|the\b|sea\b|by\b|zero\b|freezing\b|ground\b|all\b|average\b))"
#: What stands before names no product, table or token of that kind.
_NO_THING = (
    r"(?![ -](?:api|app|client|cookie|count|feature|id|key|length|limit|list|log|model|page|queue|room|server|service|state"
    r"|store|table|ttl|token|view|widget|window|wins?)s?\b)"
)
_PHRASE = re.compile(
    r"\b(?:"
    r"(?:see|as|noted|listed|described|mentioned|stated|discussed|given|shown|explained) (?:above|below|earlier|previously)\b"
    rf"{_NO_PLACE}"
    r"|(?:the )?(?:above|below)[- ]mentioned\b|aforementioned\b|the above(?=\s*(?:[.,;:)!?]|$)|\s+[a-z])"
    r"|as (?:we |i |you )?(?:already |just )?(?:discussed|mentioned|talked about|said|agreed|explained|noted)\b"
    r"(?! (?:with|by|between|to|earlier by)\b| in (?-i:[A-Z0-9]))"
    rf"|(?:we|you|i) (?:just |already )?{_SAID}\b{_ENDS}"
    rf"|you (?:just |already )?(?:sent|gave|shared|pasted|uploaded|showed)\b(?: (?:me|us|here|over)\b)?{_ENDS}"
    rf"|(?:(?:the|your|my) )?attached {_FILE}\b|{_FILE} attached\b|(?:see|as) (?:the )?attach(?:ed|ments?)\b"
    r"|(?:see|cf\.?|in|per|from) (?:the|this|your|my) (?:attachment|screenshot)s?\b"
    rf"|(?:(?:in|from|of|per|see|during|since|by|with|to) (?:the|a|this)|our|your|my) (?:previous|earlier|last) (?:message|reply|answer|response|{_TALK})\b"
    rf"{_NO_THING}"
    rf"|(?:above|earlier) in (?:the|this|our) {_TALK}\b"
    rf"|(?:in|from|of|during|throughout|see) (?:this|our) (?:chat|conversation|discussion|transcript)\b{_NO_THING}"
    r"|see (?:the )?link(?:ed)?\b|(?:the|this|that|your) link (?:above|below|i|in (?:this|our|the chat)|we|you)\b"
    r"|the linked (?:article|document|doc|file|issue|page|post)\b"
    r")",
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
