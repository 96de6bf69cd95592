"""The messages and blocks of the kernel.

Laws: values are frozen; collections inside them are never changed in place, a change
makes a new value; a field this kernel does not know rides along in `extra` and is
written back as it was. JSON names are the camelCase of the field names.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from attrs import evolve, field, frozen

__all__ = [
    "BLOCKED",
    "COMPRESS_TOOL",
    "IMAGE_TOKENS",
    "NOTHING",
    "PLACEHOLDER_ID",
    "RETRIEVED_PREFIX",
    "SUMMARY_HEADER",
    "SUMMARY_PREFIX",
    "CompressRange",
    "CompressionBlock",
    "ContentType",
    "CoreMessage",
    "Generation",
    "Role",
    "as_tuple",
    "evolve",
    "is_summary",
    "is_synthetic",
    "summary_id",
    "with_text",
]

Role = Literal["user", "assistant", "system", "tool"]
ContentType = Literal["text", "tool-call", "tool-result", "reasoning"]
Generation = Literal["young", "old"]

SUMMARY_PREFIX: Final = "acp_summary_"
RETRIEVED_PREFIX: Final = "acp_retrieved_"
PLACEHOLDER_ID: Final = "acp_placeholder"
SUMMARY_HEADER: Final = "[Compressed conversation section]"
BLOCKED: Final = "BLOCKED"
COMPRESS_TOOL: Final = "compress"
# An image costs the same whatever its encoding weighs; hosts price it alike.
IMAGE_TOKENS: Final = 1200

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})


def as_tuple(items: Iterable[Any]) -> tuple[Any, ...]:
    """Freeze a sequence given to a value."""
    return tuple(items)


@frozen
class CoreMessage:
    """One portable piece of a conversation: a text, a call, a result or a reasoning.

    A host message with several parts becomes several of these. `text` holds the
    arguments of a call as JSON and the output of a result as plain text. Wires put
    what a provider wants back unchanged into `extra`; `extra["images"]` counts
    pictures, `extra["signature"]` marks reasoning nobody may edit.

    Attributes:
        id: The host's id, or a digest of the content.
        role: Who speaks.
        content_type: What it is.
        tool_name: The tool of a call or result.
        tool_call_id: What joins a call and its result.
    """

    id: str
    role: Role
    content_type: ContentType
    text: str | None = None
    tool_name: str | None = None
    tool_call_id: str | None = None
    extra: Mapping[str, Any] = NOTHING


@frozen
class CompressRange:
    """One entry of a compress decision: two boundary refs and the model's summary.

    Attributes:
        start_ref: The first message or block.
        end_ref: The last one.
        summary: What is to stand for them.
        topic: A short title.
        summary_max_chars: The most the summary may have, in UTF-16 units.
        compress_call_id: The call that asked for it.
        extra: Members of other writers, kept as they are.
    """

    start_ref: str
    end_ref: str
    summary: str
    topic: str | None = None
    summary_max_chars: float | None = None
    compress_call_id: str | None = None
    extra: Mapping[str, Any] = NOTHING


@frozen
class CompressionBlock:
    """A fold: the messages it hides, the summary that stands for them, its lineage.

    `effective_message_ids` is everything hidden, `direct_message_ids` what no block had
    hidden before, `direct_block_ids` the blocks it took in. Block numbers start at b1.
    `released` marks a block its user opened for good: synchronising never closes it.

    Attributes:
        block_id: `b1`, `b2`, ...
        run_id: The call that made it, `r1`, `r2`, ...
        tier: 1 for a fold of messages, more for a fold of folds.
        summary: What the model sees instead.
        created_at: The caller's clock.
        survived_count: How many turns it has stood.
        generation: `young`, or `old` from `promotion_threshold` turns on.
        active: Whether it hides anything now.
        topic: A short title.
        compressed_tokens: The tokens it hid.
        duration_ms: How long the model took.
        compress_call_id: The call that asked for it.
        start_ref: The range's first ref, as asked for.
        end_ref: The range's last ref.
        extra: Members of other writers, kept as they are.
    """

    block_id: str
    run_id: str
    tier: int
    summary: str
    direct_message_ids: tuple[str, ...] = field(default=(), converter=as_tuple)
    effective_message_ids: tuple[str, ...] = field(default=(), converter=as_tuple)
    direct_block_ids: tuple[str, ...] = field(default=(), converter=as_tuple)
    created_at: float = 0
    survived_count: int = 0
    generation: Generation = "young"
    active: bool = True
    topic: str | None = None
    compressed_tokens: int | None = None
    duration_ms: float | None = None
    compress_call_id: str | None = None
    start_ref: str | None = None
    end_ref: str | None = None
    released: bool | None = None
    extra: Mapping[str, Any] = NOTHING


def summary_id(block_id: str) -> str:
    """Return the message id under which a block's summary is rendered."""
    return SUMMARY_PREFIX + block_id


def is_summary(message: CoreMessage) -> bool:
    """Tell a rendered summary by its shape; a host id that only shares the prefix is none."""
    return (
        message.role == "system"
        and message.content_type == "text"
        and message.id.startswith(SUMMARY_PREFIX)
    )


def is_synthetic(message: CoreMessage) -> bool:
    """Tell a message the kernel made itself: it takes no ref and is never folded."""
    return (
        message.role == "system"
        and message.content_type == "text"
        and message.id.startswith((SUMMARY_PREFIX, RETRIEVED_PREFIX, PLACEHOLDER_ID))
    )


def with_text(message: CoreMessage, text: str) -> CoreMessage:
    """Return the message with another text; all else stays."""
    return CoreMessage(
        message.id,
        message.role,
        message.content_type,
        text,
        message.tool_name,
        message.tool_call_id,
        message.extra,
    )
