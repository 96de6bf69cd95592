"""The journal: what a custom entry of type `aili.compact.tx.v3` says, and nothing else.

    made = transaction(session_id, epoch, base, origin, payload)
    data = encode(made)                   the `data` of the entry
    decode(data, entry_id)                the transaction, or the Fault that says why not

    data = {"version": 3, "kind": ARM, "txId", "sessionId", "epoch", "base", "origin", "payload"}

Laws: a closed tagged union: an unknown version, arm or member, a missing one, a wrong type
and an id that is not the digest of its content are refused, each with a code, the place and
what was expected there; decoding what was encoded gives the same transaction; the text of
no summary or source is ever echoed.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from kernel.projection.journal.schema import SchemaError, members, read, write
from kernel.projection.log.digests import short
from kernel.projection.model import (
    ARMS,
    TIERS,
    Cooling,
    Decompress,
    Fault,
    Origin,
    Payload,
    Recompress,
    SemanticCreate,
    Transaction,
)

__all__ = [
    "CHILDREN",
    "CLOSURE",
    "RESULTS",
    "ROOTS",
    "VERSION",
    "block_id",
    "decode",
    "encode",
    "transaction",
]

VERSION: Final = 3
#: How many children a block above T1 has, roots a decompression, results a cooling.
CHILDREN: Final = range(2, 17)
ROOTS: Final = range(1, 17)
RESULTS: Final = range(1, 257)
#: How many blocks a decompression may switch off, its roots among them.
CLOSURE: Final = 256

_MEMBERS: Final = frozenset(
    ("version", "kind", "txId", "sessionId", "epoch", "base", "origin", "payload")
)
_ORIGINS: Final = ("model", "user", "automatic")
_KINDS: Final[Mapping[type, str]] = {cls: name for name, cls in ARMS.items()}
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_BLOCK: Final = re.compile(r"blk_[0-9a-f]{16}")
_TX: Final = re.compile(r"tx_[0-9a-f]{24}")


def block_id(
    epoch: str, base: str, *, tier: int, leaf_digest: str, children: Iterable[str], summary: str
) -> str:
    """Return the id of the block a summary makes on a leaf: equal plans, equal ids."""
    return short("blk_", [epoch, tier, leaf_digest, list(children), summary, base], 16)


def transaction(
    session_id: str, epoch: str, base: str, origin: Origin, payload: Payload
) -> Transaction:
    """Return a transaction under the id its content gives it."""
    made = Transaction("", session_id, epoch, base, origin, payload)
    return Transaction(_tx_id(encode(made)), session_id, epoch, base, origin, payload)


def encode(made: Transaction) -> dict[str, Any]:
    """Spell a transaction as the data of its entry."""
    return {
        "version": VERSION,
        "kind": _KINDS[type(made.payload)],
        "txId": made.tx_id,
        "sessionId": made.session_id,
        "epoch": made.epoch,
        "base": made.base,
        "origin": made.origin,
        "payload": write(made.payload),
    }


def decode(data: Any, entry_id: str = "") -> Transaction | Fault:
    """Read the data of an entry; a Fault where it is not exactly a transaction."""
    version = data.get("version") if isinstance(data, Mapping) else VERSION
    if isinstance(version, bool) or (isinstance(version, int | float) and version != VERSION):
        return Fault("journal-version", entry_id, f"at data.version: expected {VERSION}")
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if isinstance(kind, str) and kind not in ARMS:
        return Fault("journal-arm", entry_id, f"at data.kind: expected one of {', '.join(ARMS)}")
    try:
        made = _read(members(data, _MEMBERS, "data"))
        _digests(made, data)
    except SchemaError as wrong:
        code = "journal-digest" if wrong.where in _DIGESTS else "journal-schema"
        return Fault(code, entry_id, str(wrong))
    return made


_DIGESTS: Final = ("data.txId", "data.payload.blockId")


def _read(data: Mapping[str, Any]) -> Transaction:
    for name in ("kind", "txId", "sessionId", "epoch", "base"):
        _need(isinstance(data[name], str), f"data.{name}", "a text")
    _need(type(data["version"]) in (int, float), "data.version", f"the number {VERSION}")
    _need(data["origin"] in _ORIGINS, "data.origin", f"one of {', '.join(_ORIGINS)}")
    payload = read(ARMS[data["kind"]], data["payload"], "data.payload")
    _LIMITS.get(type(payload), lambda _: None)(payload)
    return Transaction(
        data["txId"], data["sessionId"], data["epoch"], data["base"], data["origin"], payload
    )


def _digests(made: Transaction, data: Mapping[str, Any]) -> None:
    payload = made.payload
    if isinstance(payload, SemanticCreate):
        named = block_id(
            made.epoch,
            made.base,
            tier=payload.tier,
            leaf_digest=payload.leaf_digest,
            children=payload.children,
            summary=payload.summary,
        )
        _need(payload.block_id == named, "data.payload.blockId", "the digest of the block")
    same = _TX.fullmatch(made.tx_id) and made.tx_id == _tx_id(data)
    _need(bool(same), "data.txId", "the digest of the transaction")


def _tx_id(data: Mapping[str, Any]) -> str:
    return short("tx_", {key: value for key, value in data.items() if key != "txId"}, 24)


def _need(holds: bool, where: str, expected: str) -> None:  # noqa: FBT001 - a statement that must hold
    if not holds:
        raise SchemaError(where, expected)


def _unique(names: tuple[str, ...], where: str) -> None:
    _need(len(set(names)) == len(names), where, "ids that differ")
    _need(all(names), where, "ids that are not empty")


def _leaves(payload: SemanticCreate | Recompress) -> None:
    at = "data.payload"
    _need(bool(_HEX.fullmatch(payload.leaf_digest)), f"{at}.leafDigest", "64 hex digits")
    _need(payload.leaf_count >= 1, f"{at}.leafCount", "one or more")
    _need(all(map(_BLOCK.fullmatch, payload.children)), f"{at}.children", "ids of v3 blocks")
    _unique(payload.children, f"{at}.children")
    allowed = (0,) if payload.tier == TIERS[0] else CHILDREN
    words = "none for T1" if payload.tier == TIERS[0] else "2 to 16 for T2 and T3"
    _need(len(payload.children) in allowed, f"{at}.children", words)


def _recompress(payload: Recompress) -> None:
    _leaves(payload)
    _need(bool(_HEX.fullmatch(payload.proof)), "data.payload.proof", "64 hex digits")


def _create(payload: SemanticCreate) -> None:
    at = "data.payload"
    _leaves(payload)
    _unique(payload.source_ids, f"{at}.sourceIds")
    _need(payload.leaf_count == len(payload.source_ids), f"{at}.leafCount", "as many as sourceIds")
    _need(bool(payload.summary.strip()), f"{at}.summary", "a text that says something")
    _need(not payload.restill or payload.tier == TIERS[2], f"{at}.restill", "false below T3")
    blocks = payload.mode == "blocks"
    _need(blocks == (payload.tier != TIERS[0]), f"{at}.mode", "blocks above T1, else not")
    counts = (
        payload.cost.source_lower,
        payload.cost.replacement_upper,
        payload.cost.one_time_upper,
    )
    _need(min(counts) >= 0, f"{at}.cost", "token counts of 0 or more")


def _decompress(payload: Decompress) -> None:
    at = "data.payload"
    _need(len(payload.roots) in ROOTS, f"{at}.roots", "1 to 16 blocks")
    _unique(payload.roots, f"{at}.roots")
    _unique(payload.closure, f"{at}.closure")
    _need(len(payload.closure) <= CLOSURE, f"{at}.closure", f"at most {CLOSURE} blocks")
    _need(set(payload.roots) <= set(payload.closure), f"{at}.closure", "the roots among them")
    same = len(payload.leaf_digests) == len(payload.closure)
    _need(same, f"{at}.leafDigests", "one for each block of the closure")
    _need(all(map(_HEX.fullmatch, payload.leaf_digests)), f"{at}.leafDigests", "64 hex digits each")


def _cooling(payload: Cooling) -> None:
    at = "data.payload.results"
    _need(len(payload.results) in RESULTS, at, "1 to 256 results")
    _unique(tuple(result.entry_id for result in payload.results), at)
    for index, result in enumerate(payload.results):
        _need(bool(_HEX.fullmatch(result.digest)), f"{at}[{index}].digest", "64 hex digits")
        _need(result.observations >= 0, f"{at}[{index}].observations", "0 or more")


_LIMITS: Final[Mapping[type, Callable[[Any], None]]] = {
    SemanticCreate: _create,
    Decompress: _decompress,
    Recompress: _recompress,
    Cooling: _cooling,
}
