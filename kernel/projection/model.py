"""The values of the projection: what a branch holds, what a journal says, what follows.

    branch   sources (context messages, in order) ─ atoms (what may not be parted)
    journal  Transaction(payload: one of five arms)        appended, never changed
    state    State(blocks, active, cooled, controls)       derived by replay, never stored

Laws: values are frozen; a state is a function of the log alone; ids of blocks and
transactions are digests, so that equal plans on equal logs are the same transaction.
JSON names are the camelCase of the field names.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from attrs import field, frozen

from kernel.model import NOTHING, as_tuple
from kernel.projection.journal.versions import PROJECTION_VERSION

__all__ = [
    "ARMS",
    "CONTROLS",
    "REPAIR",
    "ROOT_EPOCH",
    "TIERS",
    "TRANSACTION",
    "Atom",
    "Block",
    "Control",
    "ControlAction",
    "Controls",
    "CooledResult",
    "Cooling",
    "CoolingMode",
    "Cost",
    "Decompress",
    "Depth",
    "Fault",
    "Mode",
    "Origin",
    "Payload",
    "Quality",
    "Recompress",
    "SemanticCreate",
    "Source",
    "State",
    "Status",
    "Tier",
    "Transaction",
    "block_ref",
    "message_ref",
]

#: The custom type of a journal entry.
TRANSACTION: Final = "aili.compact.tx.v3"
#: The custom type of an entry that puts a legacy block right.
REPAIR: Final = "aili.compact.repair.v1"
#: The epoch before any compaction; every other is named by its CompactionEntry's id.
ROOT_EPOCH: Final = "root"

Tier = Literal[1, 2, 3]
TIERS: Final[tuple[Tier, ...]] = get_args(Tier)
Mode = Literal["range", "message", "blocks"]
Depth = Literal["one", "raw"]
Origin = Literal["model", "user", "automatic"]
CoolingMode = Literal["automatic", "sweep", "prune"]
ControlAction = Literal[
    "on",
    "off",
    "manual-on",
    "manual-off",
    "restore-all",
    "cache-panel-on",
    "cache-panel-off",
]
CONTROLS: Final[tuple[ControlAction, ...]] = get_args(ControlAction)
#: What a block is: shown; under an active parent; opened by its user; opened for good since
#: a context edit changed one of its sources; switched off by restore-all; of an older epoch
#: (or behind a fault), for queries only.
Status = Literal["active", "covered", "decompressed", "edited", "disabled", "query-only"]


def message_ref(index: int) -> str:
    """Return the ref of the source at an index: m000001 is the first of its branch."""
    return f"m{index + 1:06d}"


def block_ref(index: int) -> str:
    """Return the ref of the block created as number `index` on its branch, from 0."""
    return f"b{index + 1:06d}"


@frozen
class Source:
    """A message of a branch's context: one entry, the Pi message it contributes.

    `message` is what the provider sees, context edits applied; `digest` is of the entry's
    own protocol content as stored (hex SHA-256), which edits do not touch.
    """

    index: int
    entry_id: str
    message: Mapping[str, Any]
    digest: str

    @property
    def ref(self) -> str:
        """Return the source's ref in its branch."""
        return message_ref(self.index)


@frozen
class Atom:
    """Sources that stay together: a call with all its results, or a single message.

    `first` and `last` are source indices, both inside; `flaw` says why the protocol of the
    atom is incomplete or malformed, None where it is whole.
    """

    index: int
    first: int
    last: int
    kind: Literal["user", "assistant", "tool", "summary", "system"]
    flaw: str | None = None


@frozen
class Quality:
    """What the gate said of a summary; `enabled` False is the expert's override."""

    manifest_version: int
    evaluator_version: int
    manifest_digest: str
    accepted: bool
    enabled: bool = True
    warnings: tuple[str, ...] = field(default=(), converter=as_tuple)


@frozen
class Cost:
    """The bounds, in tokens, on which a summary was allowed."""

    provider: str
    model: str
    estimator: str
    source_lower: int
    replacement_upper: int
    one_time_upper: int
    steady_savings: int
    savings_ratio: float
    break_even_turns: float


@frozen
class SemanticCreate:
    """Put a summary for sources (T1) or for blocks of the tier below (T2, T3, restill).

    `source_ids` are the entry ids of the recursive leaves, in order; `leaf_digest` is the
    digest of those ids with their sources' digests; `projection_version` says how it is shown.
    """

    block_id: str
    tier: Tier
    mode: Mode
    restill: bool
    topic: str
    summary: str
    source_ids: tuple[str, ...] = field(converter=as_tuple)
    children: tuple[str, ...] = field(converter=as_tuple)
    leaf_digest: str
    leaf_count: int
    catalog_id: str
    quality: Quality
    cost: Cost
    projection_version: int = PROJECTION_VERSION


@frozen
class Decompress:
    """Open blocks: `one` level, or to the `raw` messages; `closure` holds the roots too."""

    depth: Depth
    roots: tuple[str, ...] = field(converter=as_tuple)
    closure: tuple[str, ...] = field(converter=as_tuple)
    leaf_digests: tuple[str, ...] = field(converter=as_tuple)


@frozen
class Recompress:
    """Close again exactly what the transaction `decompressed_by` opened.

    `proof` is the digest of what may not have changed: every block below with its leaves,
    its gate's verdict and how it is shown.
    """

    block_id: str
    tier: Tier
    children: tuple[str, ...] = field(converter=as_tuple)
    leaf_digest: str
    leaf_count: int
    decompressed_by: str
    projection_version: int = PROJECTION_VERSION
    proof: str = ""


@frozen
class CooledResult:
    """One tool result whose body a stub replaces.

    `digest` is the source digest of the result; `observations` how many settled requests
    had held it; `resolution` the entry that resolved an error.
    """

    entry_id: str
    call_id: str
    tool: str
    profile: str
    digest: str
    observations: int
    resolution: str | None = None


@frozen
class Cooling:
    """Replace result bodies by stubs."""

    mode: CoolingMode
    results: tuple[CooledResult, ...] = field(converter=as_tuple)


@frozen
class Control:
    """A switch, or restore-all."""

    action: ControlAction


Payload = SemanticCreate | Decompress | Recompress | Cooling | Control
ARMS: Final[Mapping[str, type[Payload]]] = {
    "semantic-create": SemanticCreate,
    "decompress": Decompress,
    "recompress": Recompress,
    "cooling": Cooling,
    "control": Control,
}


@frozen
class Transaction:
    """What one custom entry says: who wants what, on which leaf, in which epoch.

    `base` is the leaf the change was planned on, which is the entry's parent.

    Attributes:
        tx_id: Its id.
        session_id: The session it is for.
        epoch: The compaction it begins after.
        origin: Who wants it.
        payload: What is wanted.
    """

    tx_id: str
    session_id: str
    epoch: str
    base: str
    origin: Origin
    payload: Payload


@frozen
class Block:
    """A summary on a branch. `version` 1 and 2 are legacy leaves, never children.

    `source_ids` are the recursive leaves; `turn` counts the settled assistant messages of
    the branch before it; `entry_id` is the custom entry that made it.
    """

    block_id: str
    number: int
    version: Literal[1, 2, 3]
    tier: Tier
    restill: bool
    epoch: str
    entry_id: str
    tx_id: str
    mode: Mode
    topic: str
    summary: str
    source_ids: tuple[str, ...] = field(converter=as_tuple)
    children: tuple[str, ...] = field(converter=as_tuple)
    leaf_digest: str
    turn: int
    quality: Quality | None = None
    cost: Cost | None = None
    projection_version: int = PROJECTION_VERSION

    @property
    def ref(self) -> str:
        """Return the block's ref in its branch."""
        return block_ref(self.number)


@frozen
class Controls:
    """The switches in force."""

    enabled: bool = True
    manual: bool | None = None
    auto_cooling: bool | None = None
    cache_panel: bool = False
    restored: bool = False


@frozen
class Fault:
    """Why a journal cannot be followed: the view is the raw history until it is left.

    A new epoch or restore-all leaves a fault behind.

    Attributes:
        code: A stable word for a program.
        entry_id: The entry that cannot be followed.
        message: What is wrong with it.
    """

    code: str
    entry_id: str
    message: str


@frozen
class State:
    """What replay of a branch gives.

    `blocks` holds every block by id, in creation order; `status` its state; `parent` the
    active parent of a covered block; `opened` the transaction that decompressed a block, or
    the edit that opened it;
    `cooled` the cooled results by entry id.

    Attributes:
        epoch: The compaction it begins after.
        controls: The settings that the journal holds.
        repaired: The legacy blocks shown again that a garbage collection had switched off.
        transactions: The ids of what was followed.
        fault: Why no more was followed, None where all was.
    """

    epoch: str
    blocks: Mapping[str, Block] = NOTHING
    status: Mapping[str, Status] = NOTHING
    parent: Mapping[str, str] = NOTHING
    opened: Mapping[str, str] = NOTHING
    cooled: Mapping[str, CooledResult] = NOTHING
    controls: Controls = field(factory=Controls)
    repaired: frozenset[str] = frozenset()
    transactions: tuple[str, ...] = field(default=(), converter=as_tuple)
    fault: Fault | None = None

    def active(self) -> tuple[Block, ...]:
        """Return the blocks a view shows, in creation order."""
        return tuple(self.blocks[name] for name, what in self.status.items() if what == "active")
