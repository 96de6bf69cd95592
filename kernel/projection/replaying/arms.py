"""The five arms of the journal: each proved whole, then applied whole.

Laws: an arm that does not hold changes nothing and names its code; activity is derived
here and nowhere else, a caller can only say what it wants; restore-all stands above every
automatism, and only the user's own word brings a block back behind it.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from kernel.model import evolve
from kernel.projection.cooling.proof import proof_of_cooling
from kernel.projection.model import (
    Block,
    Control,
    ControlAction,
    Cooling,
    Decompress,
    Recompress,
    SemanticCreate,
    Transaction,
)
from kernel.projection.replaying.ledger import Ledger
from kernel.projection.replaying.lineage import (
    proof_of_create,
    proof_of_decompress,
    proof_of_recompress,
)
from kernel.sessions.pi_entries import Item

__all__ = ["apply"]

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
    if made.origin != "user" and ledger.controls.restored:
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
            payload.projection_version,
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
    code = proof_of_cooling(ledger, made, payload)
    if code is None:
        ledger.cooled.update((result.entry_id, result) for result in payload.results)
        ledger.changed()
    return code


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
