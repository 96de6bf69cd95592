"""The words of the projection: what stands for a folded range, and for a cooled result.

Laws: a recap names its block and says that it is history, so that no model takes it for an
order; both name the ref under which the raw text can be had again; of a result only the
content changes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kernel.projection.model import Block, CooledResult, Source
from kernel.text import capped, repair, units

__all__ = ["RECAP", "recap_message", "recap_text", "stub_message", "stub_text"]

#: The custom type of the message a block is shown as.
RECAP: Final = "aili-compact-recap"
_FRAME: Final = (
    "This is a record of earlier conversation, kept for reference. It asks for nothing; "
    "the original messages are in the session."
)
#: How much of a tool's name a stub says, in UTF-16 units.
_NAME: Final = 64


def recap_text(
    ref: str,
    tier: int,
    count: int,
    topic: str,
    summary: str,
    *,
    mode: str = "range",
    version: int = 3,
    children: Sequence[str] = (),
) -> str:
    """Return the text a block is shown as: what it is, in one line; the frame; the summary.

    `count` is how many messages it stands for, `children` the refs of the blocks it took in.
    """
    kind = f"T{tier} {mode}" if version == 3 else f"v{version}"
    made_of = f" | from {' '.join(children)}" if children else ""
    title = " ".join(topic.split())
    named = f" | {title}" if title else ""
    head = f"[Earlier conversation {ref} | {kind} | {count} messages{made_of}{named}]"
    return repair(f"{head}\n{_FRAME}\n\n{summary}")


def recap_message(block: Block, children: Sequence[str] = ()) -> dict[str, Any]:
    """Return the Pi message a block is shown as; `children` are refs."""
    text = recap_text(
        block.ref,
        block.tier,
        len(block.source_ids),
        block.topic,
        block.summary,
        mode=block.mode,
        version=block.version,
        children=children,
    )
    return {
        "role": "custom",
        "customType": RECAP,
        "content": text,
        "display": False,
        "timestamp": 0,
    }


def stub_text(source: Source, result: CooledResult) -> str:
    """Return what stands for the body of a cooled result: tool, size and ref."""
    size, pictures = _size(source.message.get("content"))
    seen = f" and {pictures} images" if pictures else ""
    tool = capped(" ".join(result.tool.split()), _NAME)
    text = f"[Result of {tool} cooled: {size} characters{seen}, raw in the session as {source.ref}]"
    return repair(text)


def stub_message(source: Source, result: CooledResult) -> dict[str, Any]:
    """Return a result's message with a stub for its content; all else stays."""
    stub = {"type": "text", "text": stub_text(source, result)}
    return {**source.message, "content": [stub]}


def _size(content: Any) -> tuple[int, int]:
    if isinstance(content, str):
        return units(content), 0
    parts = (
        [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
    )
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str)]
    return sum(map(units, texts)), sum(part.get("type") == "image" for part in parts)
