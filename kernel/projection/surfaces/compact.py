"""aili_compact: put a summary for a safe range, or for blocks of the tier below.

Modes: `range` names the first and the last message, `message` every message, `blocks` 2 to
16 blocks. Laws: one call makes one block; what is named is exactly one recommendation of
the current catalog; members of another mode are refused, never ignored.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kernel.projection.lifecycle.creating import LONGEST_SUMMARY, LONGEST_TOPIC, create
from kernel.projection.lifecycle.promoting import promote
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.model import SemanticCreate, Transaction, block_ref
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.answers import Answer, Call, Surface, catalog_id
from kernel.projection.surfaces.inputs import closed, text

__all__ = ["SURFACE"]

#: The members each mode wants beside those all have.
_MEMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "range": ("startRef", "endRef"),
    "message": ("refs",),
    "blocks": ("refs",),
}
_LETTER: Final[Mapping[str, str]] = {"range": "m", "message": "m", "blocks": "b"}
#: Most refs of a call: all messages of a range, named one by one.
_MOST_REFS: Final = 4096
_REF: Final = "^[mb][0-9]{6,9}$"

Made = Transaction | Refusal


def _misfit(given: Mapping[str, Any]) -> Refusal | None:
    """Refuse members that do not belong to the mode."""
    mode = given["mode"]
    own = _MEMBERS[mode]
    for name in ("startRef", "endRef", "refs"):
        if (name in given) != (name in own):
            return refuse("bad-input", detail=f"At /{name}: mode {mode}.")
    named = given.get("refs") or (given["startRef"], given["endRef"])
    if any(not ref.startswith(_LETTER[mode]) for ref in named):
        return refuse("unknown-ref", detail=f"Mode {mode} takes {_LETTER[mode]} refs.")
    return None


def _from_messages(snapshot: Snapshot, given: Mapping[str, Any], call: Call) -> Made:
    mode = given["mode"]
    refs = given["refs"] if mode == "message" else (given["startRef"], given["endRef"])
    return create(
        snapshot,
        mode,
        refs,
        topic=given["topic"],
        summary=given["summary"],
        origin="model",
        permit=call.permit,
    )


def _from_blocks(snapshot: Snapshot, given: Mapping[str, Any], call: Call) -> Made:
    return promote(
        snapshot,
        given["refs"],
        topic=given["topic"],
        summary=given["summary"],
        origin="model",
        permit=call.permit,
    )


_MODES: Final[Mapping[str, Callable[[Snapshot, Mapping[str, Any], Call], Made]]] = {
    "range": _from_messages,
    "message": _from_messages,
    "blocks": _from_blocks,
}


def _work(snapshot: Snapshot, given: Mapping[str, Any], call: Call) -> Answer | Refusal:
    wrong = _misfit(given)
    if wrong is not None:
        return wrong
    made = _MODES[given["mode"]](snapshot, given, call)
    if isinstance(made, Refusal):
        return made
    return Answer(_output(snapshot, made), (made,))


def _output(snapshot: Snapshot, made: Transaction) -> dict[str, Any]:
    payload = made.payload
    if not isinstance(payload, SemanticCreate):
        return {"transaction": made.tx_id}
    blocks = snapshot.state.blocks
    return {
        "ref": block_ref(len(blocks)),
        "tier": payload.tier,
        "restill": payload.restill,
        "messages": payload.leaf_count,
        "children": [blocks[name].ref for name in payload.children],
        "steadySavings": payload.cost.steady_savings,
        "quality": {
            "enabled": payload.quality.enabled,
            "accepted": payload.quality.accepted,
            "warnings": list(payload.quality.warnings),
        },
        "transaction": made.tx_id,
    }


SURFACE: Final = Surface(
    "aili_compact",
    "Replace one recommended range of messages, or blocks that follow one another, by a "
    "summary. Everything stays in the log and can be opened again.",
    closed(
        {
            "mode": {"type": "string", "enum": list(_MEMBERS)},
            "catalogId": catalog_id(),
            "startRef": text(10, pattern=_REF),
            "endRef": text(10, pattern=_REF),
            "refs": {
                "type": "array",
                "minItems": 1,
                "maxItems": _MOST_REFS,
                "items": text(10, pattern=_REF),
            },
            "topic": text(LONGEST_TOPIC),
            "summary": text(LONGEST_SUMMARY),
        },
        ["mode", "catalogId", "topic", "summary"],
    ),
    _work,
    mutates=True,
)
