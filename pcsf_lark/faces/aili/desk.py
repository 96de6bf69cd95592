"""What the user may ask of a coordinator, tried on a log without a live agent.

    tried = rescue(snapshot, native=False)     # one call for a compaction, no message
    tried = compress(snapshot, "the parser")   # one message, no call

Law: the host here does nothing but note what it was asked and, for a compaction, run the
hook as Pi would; nothing is sent, compacted or written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import asdict

from kernel.projection.recovery.coordination import situation_of
from kernel.projection.recovery.coordinator import CheckpointCoordinator

if TYPE_CHECKING:
    from kernel.projection.recovery.checkpoint import CompactionResult
    from kernel.projection.recovery.coordination import Outcome
    from kernel.projection.recovery.permits import ManualCompactPermit
    from kernel.projection.snapshot import Snapshot

__all__ = ["Desk", "compress", "rescue"]


class Desk:
    """A host that is idle, and the coordinator of its one session."""

    def __init__(self, snapshot: Snapshot, keep: int | None = None) -> None:
        self.snapshot = snapshot
        self.coordinator = CheckpointCoordinator(self)
        self.messages: list[str] = []
        self.event: dict[str, Any] = {}
        self.result: CompactionResult | None = None
        self.outcome: Outcome | None = None
        self._keep = keep

    def is_idle(self) -> bool:
        """No turn runs on a shell."""
        return True

    def compact(self, request: str) -> None:
        """Run the hook that Pi's own compaction leads to."""
        self.event = {"reason": "manual", "request": request}
        if self._keep is not None:
            self.event["keepRecentTokens"] = self._keep
        self.result = self.coordinator.before_compact(self.snapshot, self.event)

    def send_user_message(self, text: str) -> None:
        """Note the message that would start a turn."""
        self.messages.append(text)

    @property
    def permit(self) -> ManualCompactPermit | None:
        """The permit that stands for the turn."""
        return self.coordinator.manual

    @property
    def grant(self) -> dict[str, Any] | None:
        """The permit as JSON; it is for one use."""
        permit = self.permit
        if permit is None:
            return None
        return {
            "sessionId": permit.session_id,
            "leaf": permit.leaf,
            "epoch": permit.epoch,
            "focus": permit.focus,
            "uses": 1,
        }

    @property
    def counters(self) -> dict[str, int]:
        """What the host was asked: calls for a compaction, and messages."""
        counts = asdict(self.coordinator.counters)
        return {"compactCalls": counts["compact_calls"], "messages": counts["messages"]}


def rescue(snapshot: Snapshot, *, native: bool, keep: int | None = None) -> Desk:
    """Call for the one compaction of a rescue."""
    desk = Desk(snapshot, keep)
    desk.outcome = desk.coordinator.rescue(situation_of(snapshot), native=native)
    return desk


def compress(snapshot: Snapshot, focus: str) -> Desk:
    """Ask for the one turn of `compress`."""
    desk = Desk(snapshot)
    desk.outcome = desk.coordinator.compress(situation_of(snapshot), focus)
    return desk
