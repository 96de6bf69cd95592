"""What is searched and what is found."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from kernel.model import BLOCKED, CoreMessage, is_synthetic
from kernel.state import CompressionState
from kernel.text import head

__all__ = [
    "ROLE_WEIGHTS",
    "Document",
    "SearchOptions",
    "SearchResult",
    "block_documents",
    "documents_of",
]

ROLE_WEIGHTS: Mapping[str, float] = {"user": 1.5, "assistant": 1.0, "tool": 0.6, "block": 1.0}
_TITLE = 60


@frozen
class Document:
    """A text that can be found: a block (topic and summary) or a host's message.

    Attributes:
        ref: Its short name.
        text: What is searched.
        kind: `block` or `message`.
        role: Who speaks.
        title: What it is shown under.
        block_id: The block, or the one that hides the message.
        tier: The block's tier.
        tokens: Its size.
    """

    ref: str
    text: str
    kind: str = "message"
    role: str | None = None
    title: str = ""
    block_id: str | None = None
    tier: int | None = None
    tokens: float | None = None

    @property
    def weight_key(self) -> str:
        """Return the role under which the document is weighed."""
        return "block" if self.kind == "block" else self.role or "assistant"


@frozen
class SearchOptions:
    """How to search; lengths in UTF-16 units, scores below `min_score` are left out.

    Attributes:
        algorithm: One of `ALGORITHMS`, or `semantic` with an embedding.
        limit: The most hits.
        preview_length: How much of a text is shown.
        role_weights: What multiplies a role's scores.
    """

    algorithm: str = "hybrid"
    limit: int = 10
    preview_length: int = 200
    min_score: float = 0.01
    role_weights: Mapping[str, float] = field(factory=dict)

    def weights(self) -> Mapping[str, float]:
        """Return the weight of each role, defaults filled in."""
        return {**ROLE_WEIGHTS, **self.role_weights}


@frozen
class SearchResult:
    """One hit.

    Attributes:
        kind: `block` or `message`.
        ref: Its short name.
        title: What it is shown under.
        preview: Where the words stand.
        score: How like the query, weighed by role.
        role: Who speaks.
        block_id: The block, or the one that hides the message.
        tier: The block's tier.
        tokens: Its size.
    """

    kind: str
    ref: str
    title: str
    preview: str
    score: float
    role: str | None = None
    block_id: str | None = None
    tier: int | None = None
    tokens: float | None = None


def block_documents(state: CompressionState) -> list[Document]:
    """Return a document for every block, active or not."""
    return [
        Document(
            ref=block.block_id,
            text=f"{block.topic or ''} {block.summary}",
            kind="block",
            title=block.topic or block.block_id,
            block_id=block.block_id,
            tier=block.tier,
            tokens=block.compressed_tokens,
        )
        for block in state.blocks
    ]


def message_document(ref: str, text: str, role: str | None = None, **more: Any) -> Document:
    """Return a document for a message, titled by its role and first characters."""
    title = f"{role or 'message'}: {head(text, _TITLE)}"
    return Document(ref=ref, text=text, role=role, title=title, **{"tier": 1, **more})


def documents_of(messages: Sequence[CoreMessage], state: CompressionState) -> list[Document]:
    """Return a document for every message with a ref and a text."""
    by_raw = state.message_refs.by_raw
    out = []
    for message in messages:
        ref = by_raw.get(message.id)
        if ref is None or ref == BLOCKED or not message.text or is_synthetic(message):
            continue
        out.append(message_document(ref, message.text, message.role))
    return out
