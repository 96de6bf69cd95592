"""aili_decompress: open blocks that are shown, one level or to the raw messages.

Laws: all refs or none; a block of version 1 or 2 opens to its messages whatever the depth.
"""

from collections.abc import Mapping
from typing import Any, Final

from kernel.projection.lifecycle.opening import decompress
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.model import Decompress
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.answers import Answer, Call, Surface, catalog_id
from kernel.projection.surfaces.inputs import block_refs, closed

__all__ = ["SURFACE"]


def _work(snapshot: Snapshot, given: Mapping[str, Any], _call: Call) -> Answer | Refusal:
    depth = given.get("depth", "one")
    made = decompress(snapshot, given["refs"], depth, "model")
    if isinstance(made, Refusal):
        return made
    opened = made.payload.closure if isinstance(made.payload, Decompress) else ()
    blocks = snapshot.state.blocks
    output = {
        "opened": [blocks[name].ref for name in opened],
        "depth": depth,
        "transaction": made.tx_id,
    }
    return Answer(output, (made,))


SURFACE: Final = Surface(
    "aili_decompress",
    "Open folded blocks again: to their child blocks, or to the raw messages.",
    closed(
        {
            "catalogId": catalog_id(),
            "refs": block_refs(1, 16),
            "depth": {"type": "string", "enum": ["one", "raw"], "default": "one"},
        },
        ["catalogId", "refs"],
    ),
    _work,
    mutates=True,
)
