"""The five arms of the journal: each proved whole, then applied whole.

Laws: an arm that does not hold changes nothing and names its code; activity is derived
here and nowhere else, a caller can only say what it wants; restore-all stands above every
automatism, and only the user's own word brings a block back behind it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kernel.model import evolve
from kernel.projection.ledger import Ledger
from kernel.projection.lineage import (
    proof_of_create,
    proof_of_decompress,
    proof_of_recompress,
)
from kernel.projection.model import (
    Block,
    Control,
    ControlAction,
    CooledResult,
    Cooling,
    Decompress,
    Recompress,
    SemanticCreate,
    Transaction,
)
from kernel.sessions.pi_entries import Item

__all__ = ["apply"]

#: Profiles no automatism cools.
_NEVER: Final = ("protocol-control", "unknown")
#: What a plain switch sets.
_SWITCHES: Final[Mapping[ControlAction, Mapping[str, Any]]] = {
    # Switching on again is the user's word that ends what restore-all ordered.
    "on": {"enabled": True, "auto_cooling": None, "restored": False},
    "off": {"enabled": False},
    "manual-on": {"manual": True},
    "manual-off": {"manual": False},
    "cache-panel-on": {"cache_panel": True},
    "cache-panel-off": {"cache_panel": False},
}


def apply(ledger: Ledger, made: Transaction, item: Item) -> str | None:
    """Apply a transaction, or return the code of why it does not hold."""
    return _ARMS[type(made.payload)](ledger, made, made.payload, item)


def _create(ledger: Ledger, made: Transaction, payload: SemanticCreate, item: Item) -> str | None:
    if made.origin == "automatic" and ledger.controls.restored:
        return "replay-restored"
    code = proof_of_create(ledger, payload)
    if code is not None:
        return code
    ledger.enter(
        Block(
            payload.block_id,
            len(ledger.blocks),
            3,
            payload.tier,
            payload.restill,
            made.epoch,
            item.id,
            made.tx_id,
            payload.mode,
            payload.topic,
            payload.summary,
            payload.source_ids,
            payload.children,
            payload.leaf_digest,
            ledger.turn,
            payload.quality,
            payload.cost,
        )
    )
    return None


def _decompress(ledger: Ledger, made: Transaction, payload: Decompress, _: Item) -> str | None:
    if made.origin == "automatic":
        return "replay-needs-user"
    code = proof_of_decompress(ledger, payload)
    if code is None:
        ledger.open(payload.closure, made.tx_id)
    return code


def _recompress(ledger: Ledger, made: Transaction, payload: Recompress, _: Item) -> str | None:
    code = proof_of_recompress(ledger, payload, made.origin)
    if code is None:
        ledger.show(ledger.blocks[payload.block_id])
    return code


def _cooling(ledger: Ledger, made: Transaction, payload: Cooling, _: Item) -> str | None:
    automatic = payload.mode == "automatic" or made.origin == "automatic"
    if automatic and (ledger.controls.restored or ledger.controls.auto_cooling is False):
        return "replay-restored"
    for result in payload.results:
        code = _not_coolable(ledger, result, automatic=automatic)
        if code is not None:
            return code
    ledger.cooled.update((result.entry_id, result) for result in payload.results)
    ledger.changed()
    return None


def _not_coolable(ledger: Ledger, result: CooledResult, *, automatic: bool) -> str | None:
    scope = ledger.scope
    if not scope.visible(result.entry_id):
        return "cooling-not-visible"
    if result.entry_id in ledger.cooled:
        return "cooling-twice"
    stored = scope.message(result.entry_id)
    if stored.get("role") != "toolResult":
        return "cooling-no-result"
    if (stored.get("toolCallId"), stored.get("toolName")) != (result.call_id, result.tool):
        return "cooling-identity"
    if scope.digest(result.entry_id) != result.digest:
        return "cooling-digest"
    if automatic and result.profile in _NEVER:
        return "cooling-profile"
    if automatic and stored.get("isError") and result.resolution is None:
        return "cooling-unresolved-error"
    if result.resolution is not None and not _follows(ledger, result.resolution, result.entry_id):
        return "cooling-resolution"
    return None


def _follows(ledger: Ledger, later: str, earlier: str) -> bool:
    return later in ledger.at and ledger.at[later] > ledger.at[earlier]


def _control(ledger: Ledger, made: Transaction, payload: Control, _: Item) -> str | None:
    if made.origin != "user":
        return "replay-needs-user"
    if payload.action == "restore-all":
        ledger.restore_all(made.tx_id)
    else:
        ledger.controls = evolve(ledger.controls, **_SWITCHES[payload.action])
        ledger.changed()
    return None


_ARMS: Final[Mapping[type, Callable[[Ledger, Transaction, Any, Item], str | None]]] = {
    SemanticCreate: _create,
    Decompress: _decompress,
    Recompress: _recompress,
    Cooling: _cooling,
    Control: _control,
}
