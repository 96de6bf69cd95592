"""aili_prune: replace bodies of tool results that have been read and are not needed raw.

Laws: all refs or none; each names one whole, observed, unprotected tool result of the
view; only the body goes, and it comes back with restore-all.
"""

from collections.abc import Mapping
from typing import Any, Final

from kernel.projection.cooling.planning import prune
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.model import Cooling
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.answers import Answer, Call, Surface, catalog_id
from kernel.projection.surfaces.inputs import closed, message_refs

__all__ = ["SURFACE"]


def _work(snapshot: Snapshot, given: Mapping[str, Any], _call: Call) -> Answer | Refusal:
    made = prune(snapshot, given["refs"], "model")
    if isinstance(made, Refusal):
        return made
    results = made.payload.results if isinstance(made.payload, Cooling) else ()
    output = {
        "pruned": [
            {
                "ref": snapshot.branch.sources[snapshot.branch.index[result.entry_id]].ref,
                "tool": result.tool,
                "profile": result.profile,
                "observations": result.observations,
            }
            for result in results
        ],
        "transaction": made.tx_id,
    }
    return Answer(output, (made,))


SURFACE: Final = Surface(
    "aili_prune",
    "Replace the bodies of tool results that later answers have used and nothing needs raw.",
    closed(
        {"catalogId": catalog_id(), "refs": message_refs(1, 16)},
        ["catalogId", "refs"],
    ),
    _work,
    mutates=True,
)
