"""How results look in the call protocol: the recorded shapes."""

from collections.abc import Mapping
from typing import Any

from kernel import codec
from kernel.boundaries import BoundaryError, Resolution
from kernel.compress import Applied
from kernel.fold import Problem
from kernel.nudge import NudgeDecision
from kernel.pipeline import TurnResult
from kernel.stages.emergency_truncate import MARKER
from kernel.text import units

__all__ = [
    "apply_output",
    "boundary_error",
    "nudge_output",
    "problem_output",
    "reduced",
    "resolution_output",
    "turn_output",
]


def reduced(value: Any) -> Any:
    """Print every truncation marker in its reduced form, independent of its wording."""
    if isinstance(value, str):
        return MARKER.sub(_reduced_marker, value) if "[..." in value else value
    if isinstance(value, Mapping):
        return {key: reduced(item) for key, item in value.items()}
    if isinstance(value, list):
        return [reduced(item) for item in value]
    return value


def _reduced_marker(match: Any) -> str:
    return f"<<TRUNCATED original_tokens={match[1]} marker_chars={units(match[0])}>>"


def nudge_output(decision: NudgeDecision) -> dict[str, Any]:
    """Spell a decision, its target blocks as ids."""
    out: dict[str, Any] = codec.to_json(decision)
    out["tier"] = decision.tier
    out["tierTargetBlocks"] = [block.block_id for block in decision.tier_target_blocks]
    return out


def turn_output(result: TurnResult) -> dict[str, Any]:
    """Spell a turn."""
    out: dict[str, Any] = {
        "messages": reduced([codec.message_to_json(item) for item in result.messages]),
        "state": codec.to_json(result.state),
        "nudge": nudge_output(result.nudge),
        "contentStore": codec.store_to_json(result.content_store),
        "effects": [
            {
                "stage": effect.stage,
                "kind": effect.kind,
                "count": effect.count,
                "firstByte": effect.first_byte,
            }
            for effect in result.effects
        ],
        "diagnostics": list(result.diagnostics),
    }
    if result.overflow is not None:
        out["overflow"] = codec.to_json(result.overflow)
    return out


def problem_output(problem: Problem) -> dict[str, Any]:
    """Spell an error or warning as a code object."""
    out: dict[str, Any] = {"code": problem.code, "params": dict(problem.params)}
    if problem.range is not None:
        out["range"] = list(problem.range)
    return out


def apply_output(applied: Applied) -> dict[str, Any]:
    """Spell what a compress call did."""
    result = applied.result
    return {
        "state": codec.to_json(applied.state),
        "result": {
            "blocksCreated": result.blocks_created,
            "tokensCompressed": result.tokens_compressed,
            "errors": [problem_output(item) for item in result.errors],
            "warnings": [problem_output(item) for item in result.warnings],
            "notes": [problem_output(item) for item in result.notes],
        },
        "rejections": [list(item) for item in applied.rejections],
    }


def boundary_error(error: BoundaryError) -> dict[str, Any]:
    """Spell why a boundary did not resolve."""
    typed = error.endpoint is not None
    return {
        "code": error.code,
        "errCode": "BOUNDARY_NOT_FOUND" if typed else None,
        "kind": error.kind if typed else None,
        "endpoint": error.endpoint,
        "params": {"endpoint": error.endpoint, "ref": error.ref} if typed else {},
    }


def resolution_output(found: Resolution) -> dict[str, Any]:
    """Spell a resolved span; snaps as code objects."""
    out: dict[str, Any] = codec.to_json(found)
    out["snappedBoundaries"] = [
        {"code": "SNAPPED", "params": {"endpoint": snap.endpoint, "ref": snap.ref}}
        for snap in found.snapped_boundaries
    ]
    return out
