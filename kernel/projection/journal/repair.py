"""Repair: legacy blocks that a garbage collection switched off by age come back.

    found = plan(branch)          what may come back, what may not and why
    made = batch(found, branch)   the first transaction of it, or None
    encode_repair(made)           the `data` of an `aili.compact.repair.v1` entry

Laws: planning is pure and judges by a replay of the branch, as replay will judge what it
made; at most 16 blocks come back in one transaction, the rest is planned anew behind it.
"""

from kernel.projection.journal.evidence import (
    EVIDENCE,
    Evidence,
    Ineligible,
    Repair,
    RepairPlan,
    decode_repair,
    encode_repair,
    judge,
    repair,
)
from kernel.projection.journal.legacy import LEGACY
from kernel.projection.log.branch import Branch
from kernel.projection.replaying.reducer import replayed

__all__ = [
    "EVIDENCE",
    "Evidence",
    "Ineligible",
    "Repair",
    "RepairPlan",
    "batch",
    "decode_repair",
    "encode_repair",
    "plan",
    "repair",
]


def plan(branch: Branch) -> RepairPlan:
    """Judge every block of a branch's epoch that a garbage collection switched off."""
    # Without a deactivation there is nothing to bring back.
    if not any(item.value.get("customType") in LEGACY for item in branch.path):
        return RepairPlan((), ())
    return judge(replayed(branch).ledger)


def batch(found: RepairPlan, branch: Branch) -> Repair | None:
    """Return the first transaction of a plan; None where nothing may come back."""
    if not found.eligible or branch.leaf is None:
        return None
    first = found.eligible[: EVIDENCE.stop - 1]
    return repair(branch.session_id, branch.epoch, branch.leaf, first)
