"""The surfaces: six tools a model may call, each a schema and a pure function.

    answer = SURFACES["aili_compact"].run(snapshot, given, Call(call_id="call_7"))
    answer.output, answer.transactions        # or a Refusal

Laws: nothing is written here; a mutator is the only tool call of its assistant message and
names the current catalog; refs hold in their branch and epoch alone.
"""

from collections.abc import Mapping
from typing import Final

from kernel.projection.surfaces import (
    compact,
    compact_status,
    context_recap,
    decompress,
    prune,
    search_context,
)
from kernel.projection.surfaces.answers import Answer, Call, Surface

__all__ = ["SURFACES", "Answer", "Call", "Surface"]

#: The name of a tool to its surface.
SURFACES: Final[Mapping[str, Surface]] = {
    module.SURFACE.name: module.SURFACE
    for module in (
        compact,
        decompress,
        prune,
        search_context,
        compact_status,
        context_recap,
    )
}
