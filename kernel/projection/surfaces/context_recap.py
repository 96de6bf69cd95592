"""aili_context_recap: the summaries that are shown now.

Laws: read-only; active blocks only, whole summaries, in the order their sources have; a
raw message is never given.
"""

from collections.abc import Mapping
from typing import Any, Final

from kernel.projection.lifecycle.listing import shown_blocks
from kernel.projection.lifecycle.opening import blocks_of
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.answers import Answer, Call, Surface
from kernel.projection.surfaces.inputs import block_refs, closed

__all__ = ["SURFACE"]


def _work(snapshot: Snapshot, given: Mapping[str, Any], _call: Call) -> Answer | Refusal:
    shown = shown_blocks(snapshot)
    if "refs" in given:
        named = blocks_of(snapshot, given["refs"])
        if isinstance(named, Refusal):
            return named
        hidden = [block.ref for block in named if block not in shown]
        if hidden:
            return refuse("block-not-active", hidden)
        shown = named
    offset, limit = int(given.get("offset", 0)), int(given.get("limit", 16))
    return Answer(
        {
            "total": len(shown),
            "offset": offset,
            "blocks": [
                {
                    "ref": block.ref,
                    "tier": block.tier,
                    "version": block.version,
                    "topic": block.topic,
                    "messages": len(block.source_ids),
                    "summary": block.summary,
                }
                for block in shown[offset : offset + limit]
            ],
        }
    )


SURFACE: Final = Surface(
    "aili_context_recap",
    "Read the summaries that stand for folded messages now. Reads only; no raw message.",
    closed(
        {
            "refs": block_refs(1, 16),
            "offset": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": 16, "default": 16},
        },
        [],
    ),
    _work,
)
