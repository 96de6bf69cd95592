"""The evidence of a repair: gathered from the books of a replay, written, judged again.

    data = {"version": 1, "repairId", "sessionId", "epoch", "base", "evidence": [1..16]}

Laws: evidence binds branch, epoch, leaves and their sources, the entry that collected the
block, its lineage and all that stands now; replay computes every piece anew and applies all
or none; evidence is ordered by the creation of the blocks; no source text is in it; what
its user opened or restore-all switched off never comes back by this.
"""

from collections.abc import Mapping
from typing import Any, Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.journal.schema import SchemaError, members, read, write
from kernel.projection.log.digests import short
from kernel.projection.model import Fault
from kernel.projection.replaying.ledger import Ledger

__all__ = [
    "EVIDENCE",
    "Evidence",
    "Ineligible",
    "Repair",
    "RepairPlan",
    "apply",
    "decode_repair",
    "encode_repair",
    "judge",
    "repair",
]

VERSION: Final = 1
#: How many blocks one transaction may bring back.
EVIDENCE: Final = range(1, 17)
_MEMBERS: Final = frozenset(("version", "repairId", "sessionId", "epoch", "base", "evidence"))


@frozen
class Evidence:
    """Why one block may come back.

    `branch` is the leaf it was found on, `collected_by` the entry that switched the block
    off and `provenance` the digest of what that entry says; `lineage` is the digest of the
    block's own entry and range, `later_state` of everything that stood on the leaf.
    """

    branch: str
    epoch: str
    block_id: str
    entry_id: str
    leaf_digest: str
    leaf_count: int
    collected_by: str
    provenance: str
    lineage: str
    later_state: str


@frozen
class Repair:
    """What one repair entry says."""

    repair_id: str
    session_id: str
    epoch: str
    base: str
    evidence: tuple[Evidence, ...] = field(converter=as_tuple)


@frozen
class Ineligible:
    """A collected block that stays off, and the code of the reason."""

    block_id: str
    code: str


@frozen
class RepairPlan:
    """What may come back of a branch, in order, and what not."""

    eligible: tuple[Evidence, ...] = field(converter=as_tuple)
    ineligible: tuple[Ineligible, ...] = field(converter=as_tuple)


def judge(ledger: Ledger) -> RepairPlan:
    """Judge every collected block the books know, in the order of creation."""
    if ledger.fault is not None or not ledger.path:
        return RepairPlan((), ())
    later = _later_state(ledger)
    taken: set[str] = set()
    eligible: list[Evidence] = []
    ineligible: list[Ineligible] = []
    for name in sorted(ledger.collected, key=lambda name: ledger.blocks[name].number):
        code = _contradicted(ledger, name, taken)
        if code is None:
            eligible.append(_evidence(ledger, name, later))
            taken.update(ledger.blocks[name].source_ids)
        else:
            ineligible.append(Ineligible(name, code))
    return RepairPlan(eligible, ineligible)


def _contradicted(ledger: Ledger, name: str, taken: set[str]) -> str | None:
    block, scope = ledger.blocks[name], ledger.scope
    if block.epoch != ledger.epoch:
        return "repair-epoch"
    if ledger.controls.restored:
        return "repair-restored"
    if not taken.isdisjoint(block.source_ids):
        return "repair-overlap"
    if any(leaf in scope.owner for leaf in block.source_ids):
        return "repair-overlap"
    if scope.leaf_digest(block.source_ids) != block.leaf_digest:
        return "repair-source-digest"
    return None


def _evidence(ledger: Ledger, name: str, later: str) -> Evidence:
    block = ledger.blocks[name]
    by = ledger.collected[name]
    return Evidence(
        ledger.path[-1].id,
        ledger.epoch,
        name,
        block.entry_id,
        block.leaf_digest,
        len(block.source_ids),
        by,
        short("", ledger.path[ledger.at[by]].value.get("data"), 64),
        short("", [block.version, block.number, block.entry_id, list(block.source_ids)], 64),
        later,
    )


def _later_state(ledger: Ledger) -> str:
    said = {
        "status": [[name, status] for name, status in ledger.status.items()],
        "cooled": sorted(ledger.cooled),
        "controls": write(ledger.controls),
        "transactions": ledger.transactions,
    }
    return short("", said, 64)


def repair(session_id: str, epoch: str, base: str, evidence: tuple[Evidence, ...]) -> Repair:
    """Return a repair under the id its content gives it."""
    made = Repair("", session_id, epoch, base, evidence)
    return Repair(_repair_id(encode_repair(made)), session_id, epoch, base, evidence)


def encode_repair(made: Repair) -> dict[str, Any]:
    """Spell a repair as the data of its entry."""
    return {"version": VERSION, **write(made)}


def decode_repair(data: Any, entry_id: str = "") -> Repair | Fault:
    """Read the data of a repair entry; a Fault where it is not exactly a repair."""
    try:
        found = dict(members(data, _MEMBERS, "data"))
        version = found.pop("version")
        if isinstance(version, bool) or version != VERSION:
            return Fault("repair-version", entry_id, f"at data.version: expected {VERSION}")
        made = read(Repair, found, "data")
        _limits(made)
        if made.repair_id != _repair_id(data):
            return Fault("repair-digest", entry_id, "at data.repairId: expected the digest")
    except SchemaError as wrong:
        return Fault("repair-schema", entry_id, str(wrong))
    return made


def _limits(made: Repair) -> None:
    if len(made.evidence) not in EVIDENCE:
        raise SchemaError("data.evidence", "1 to 16 blocks")
    for at, one in enumerate(made.evidence):
        if (one.branch, one.epoch) != (made.base, made.epoch):
            raise SchemaError(f"data.evidence[{at}]", "the branch and epoch of the repair")


def _repair_id(data: Mapping[str, Any]) -> str:
    return short("rep_", {key: value for key, value in data.items() if key != "repairId"}, 24)


def apply(ledger: Ledger, made: Repair) -> str | None:
    """Bring all blocks of a repair back, or none: the code of what does not hold."""
    now = judge(ledger)
    known = {one.block_id: one for one in now.eligible}
    if any(known.get(one.block_id) != one for one in made.evidence):
        return "repair-evidence"
    numbers = [ledger.blocks[one.block_id].number for one in made.evidence]
    if sorted(set(numbers)) != numbers:
        return "repair-order"
    for one in made.evidence:
        ledger.wake(one.block_id)
    return None
