"""What a summary is charged beside itself: the suffix, how it was found, its own turn.

    charged(snapshot, permit, sources)      members of a Proposal, by name

Laws: the suffix is what the next requests will carry; the discovery is the status answers
that stand at the live end, or else the suffix that named the range, or else the answer
the status would give now, whole; with a permit the source is sent once more, in the turn
that the user started for it. In FORCE_SEMANTIC that turn is none of its own: the suffix
would have asked for the summary before anything else.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kernel.projection.lifecycle.listing import block_row, range_row, set_row, shown_blocks
from kernel.projection.lifecycle.sealing import Permit
from kernel.projection.provider.suffix import suffix_of
from kernel.projection.snapshot import Snapshot
from kernel.wire.history import flat_text
from kernel.wire.source import compact

__all__ = ["STATUS", "charged"]

#: The tool whose answer is a catalog.
STATUS: Final = "aili_compact_status"
#: Bytes of a status answer that are the same with and without rows, and rows of a page.
_FIXED: Final = "s" * 1536
_PAGE: Final = 64
_NOTES: Final = 16


def charged(
    snapshot: Snapshot, permit: Permit | None, name: str, source: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return what a proposal is charged; `name` is how the suffix would name its source."""
    steady = _content(suffix_of(snapshot))
    asked = steady if permit is None else _content(suffix_of(snapshot, permit=permit))
    own_turn = permit is not None and snapshot.pressure.state != "FORCE_SEMANTIC"
    return {
        "suffix": steady,
        "discovery": _live_answers(snapshot) or (asked if name in asked else _answer(snapshot)),
        "resent": source if own_turn else (),
    }


def _content(suffix: Mapping[str, Any] | None) -> str:
    return "" if suffix is None else str(suffix["content"])


def _live_answers(snapshot: Snapshot) -> str:
    """Return the status answers behind the last atom that is not ours."""
    anchor = snapshot.protection.anchor
    behind = snapshot.atoms[anchor].last + 1 if anchor >= 0 else 0
    return "\n".join(
        flat_text(source.message.get("content"))
        for source in snapshot.branch.sources[behind:]
        if source.message.get("toolName") == STATUS
    )


def _answer(snapshot: Snapshot) -> str:
    """Return a text as long as the answer of a status that lists what there is, a page of it."""
    catalog = snapshot.catalog
    rows = [
        *map(range_row, catalog.ranges[:_PAGE]),
        *map(set_row, catalog.blocks[:_PAGE]),
        *(block_row(snapshot, block) for block in shown_blocks(snapshot)[:_PAGE]),
        *(
            {"code": note.code, "line": note.line, "message": note.message}
            for note in snapshot.diagnostics[:_NOTES]
        ),
        dict(catalog.exclusions),
        dict(catalog.block_exclusions),
    ]
    return _FIXED + compact(rows)
