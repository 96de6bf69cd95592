"""aili_compact_status: the catalog of now, and how things stand.

Laws: read-only and bounded; ranges and recommendations carry the refs and digests a
mutator is checked against; what is left out is counted by reason; what a pure reading of
the log cannot prove says `Unverified`; with planning off nothing is recommended, unless
the user's permit asks for it.
"""

from collections.abc import Mapping
from typing import Any, Final

from kernel.projection.cooling.planning import coolable, is_automatic
from kernel.projection.journal.versions import EVALUATOR_VERSION, MANIFEST_VERSION
from kernel.projection.lifecycle.listing import block_row, range_row, set_row, shown_blocks
from kernel.projection.lifecycle.refusal import MAX_REFS, Refusal
from kernel.projection.lifecycle.sealing import fault_of, is_manual, writable
from kernel.projection.planning.charges import STATUS
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.answers import Answer, Call, Surface
from kernel.projection.surfaces.inputs import closed

__all__ = ["SURFACE"]

UNVERIFIED: Final = "Unverified"
_MOST_NOTES: Final = 16


def _pressure(snapshot: Snapshot) -> dict[str, Any]:
    pressure = snapshot.pressure
    return {
        "state": pressure.state,
        "tokens": pressure.use.tokens,
        "reported": pressure.use.reported,
        "estimated": pressure.use.estimated,
        "window": pressure.window,
    }


def _switches(snapshot: Snapshot) -> dict[str, Any]:
    fault = fault_of(snapshot)
    return {
        "enabled": snapshot.enabled,
        "manual": is_manual(snapshot),
        "planning": snapshot.config.planning.enabled,
        "autoCooling": is_automatic(snapshot),
        "restored": snapshot.state.controls.restored,
        "fault": None if fault is None else fault.code,
    }


def _cooling(snapshot: Snapshot) -> dict[str, Any]:
    found = coolable(snapshot, "prune") if writable(snapshot) is None else ()
    return {
        "cooled": len(snapshot.state.cooled),
        "prunable": [result.source.ref for result in found[:MAX_REFS]],
        "prunableTotal": len(found),
    }


def _work(snapshot: Snapshot, given: Mapping[str, Any], call: Call) -> Answer | Refusal:
    catalog, config = snapshot.catalog, snapshot.config
    planned = config.planning.enabled or call.permit is not None
    ranges = catalog.ranges if planned else ()
    sets = catalog.blocks if planned else ()
    shown = shown_blocks(snapshot)
    offset, limit = int(given.get("offset", 0)), int(given.get("limit", 32))
    page = slice(offset, offset + limit)
    output = {
        "catalogId": catalog.catalog_id,
        "epoch": snapshot.branch.epoch,
        "leaf": snapshot.branch.leaf,
        **_switches(snapshot),
        "pressure": _pressure(snapshot),
        "offset": offset,
        "ranges": [range_row(one) for one in ranges[page]],
        "rangesTotal": len(ranges),
        "excluded": dict(catalog.exclusions),
        "promotions": [set_row(one) for one in sets[page]],
        "promotionsTotal": len(sets),
        "promotionsExcluded": dict(catalog.block_exclusions),
        "blocks": [block_row(snapshot, block) for block in shown[page]],
        "blocksTotal": len(shown),
        "cooling": _cooling(snapshot),
        "quality": {
            "enabled": config.quality.enabled,
            "warningPolicy": config.quality.warning_policy,
            "manifestVersion": MANIFEST_VERSION,
            "evaluatorVersion": EVALUATOR_VERSION,
        },
        # An index and a coordinator live in the host; the log alone proves neither.
        "index": {"enabled": config.index.enabled, "health": UNVERIFIED},
        "recovery": {"state": snapshot.pressure.state, "coordinator": UNVERIFIED},
        "diagnostics": [
            {"code": note.code, "line": note.line, "message": note.message}
            for note in snapshot.diagnostics[:_MOST_NOTES]
        ],
        "diagnosticsTotal": len(snapshot.diagnostics),
    }
    return Answer(output)


SURFACE: Final = Surface(
    STATUS,
    "Read the current catalog: its id, the ranges and blocks that may be folded, and how full "
    "the window is. Reads only.",
    closed(
        {
            "offset": {"type": "integer", "minimum": 0, "maximum": 1000000, "default": 0},
            "limit": {"type": "integer", "minimum": 1, "maximum": 64, "default": 32},
        },
        [],
    ),
    _work,
)
