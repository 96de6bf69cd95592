"""What the repository's verbs give back, beside windows and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from cso import ChainStatus, Finding, Verdict

if TYPE_CHECKING:
    from pcsf_lark.relay.verdict import BranchVerdict

__all__ = ["LogLine", "Verification"]


@frozen(kw_only=True)
class LogLine:
    """One window of a branch; ``kind``, ``when`` and ``topic`` are as the audit trail tells."""

    window: int
    tag: str
    parents: tuple[str, ...]
    branches: tuple[str, ...]
    kind: str = ""
    when: str = ""
    topic: str = ""
    dropped: int = 0
    withheld: int = 0
    absent: int = 0


@frozen(kw_only=True)
class Verification:
    """The branches, the audit trail, and damage to the store itself."""

    branches: tuple[BranchVerdict, ...]
    events: Verdict
    damage: tuple[Finding, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        broken = self.events.status is ChainStatus.BROKEN
        return not broken and not self.damage and all(one.sound for one in self.branches)

    @property
    def valid(self) -> bool:
        """Whether every branch and the trail are VALID, which a lone window is not yet."""
        statuses = [self.events.status, *(one.verdict.status for one in self.branches)]
        return self.sound and bool(self.branches) and set(statuses) == {ChainStatus.VALID}
