"""The coordinator: when a checkpoint or a summary is tried, and that it is tried once.

    coordinator = CheckpointCoordinator(host)
    coordinator.settle(situation_of(now))            # after every turn, as often as you like
    coordinator.before_compact(now, event)           # the hook
    coordinator.completed(request); coordinator.failed(request)
    coordinator.rescue(now); coordinator.compress(now, focus); coordinator.status()

Laws: one semantic attempt and one checkpoint a pressure cycle; `rescue` is exactly one call
for a compaction and no message, `compress` one message and no such call, `status` neither;
what the user forbade (automatic compaction, AILI itself) is not done; with AILI off nothing
is planned or remembered; no error of a host or a planner leaves this class. A cycle ends
with its epoch, with its branch, or when the pressure is NORMAL again, not with news that come
late or a move back along the branch; while the host has not ended what it was asked for,
nothing but a rescue asks again; a rescue is the user's word and opens a cycle of its own.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve

from kernel.projection.recovery.checkpoint import (
    CompactEvent,
    CompactionResult,
    before_compact,
    read_event,
)
from kernel.projection.recovery.coordination import (
    ACTIVE,
    CHECKPOINT,
    TRANSITIONS,
    Answers,
    Counters,
    Cycle,
    Event,
    HostPort,
    Outcome,
    Phase,
    Situation,
    agrees,
    situation_of,
    standing_of,
    succeeds,
)
from kernel.projection.recovery.permits import (
    Attempt,
    ManualCompactPermit,
    NativeOnlyCompactPermit,
    text_of,
)
from kernel.projection.snapshot import Snapshot

__all__ = ["CheckpointCoordinator"]

Planner = Callable[[Snapshot, CompactEvent], CompactionResult | None]


class CheckpointCoordinator:
    """The state of one session's checkpoints; not for several threads at once.

    Attributes:
        phase: Where it is in a cycle.
        cycle: What the cycle has had.
        counters: What it did, in figures.
        request: The compaction asked for, None without one.
        native: The leave for the host's own compaction.
        manual: The leave for a user's compaction.
    """

    def __init__(self, host: HostPort, planner: Planner = before_compact) -> None:
        """Start idle."""
        self.phase: Phase = "idle"
        self.cycle: Cycle = Cycle()
        self.counters: Counters = Counters()
        self.request: str | None = None
        self.native: NativeOnlyCompactPermit | None = None
        self.manual: ManualCompactPermit | None = None
        self._host, self._planner = host, planner
        self._at: Situation | None = None
        self._requests = 0
        self._running: str | None = None  # asked of the host and not ended, on whatever branch
        self._answers: Answers[CompactionResult | None] = Answers()

    def observe(self, now: Situation) -> None:
        """Take note of where the session stands: a move, a new epoch, the end of pressure."""
        old = self._at
        if old is not None and now.trails(old):
            return
        self._at, old = now, old or now
        if now.session_id != old.session_id or (now.continues(old) and now.epoch != old.epoch):
            self._running = None
        if not now.continues(old) or old.epoch != now.epoch:
            self._fire("epoch" if now.continues(old) else "leave")
            self._expire()
            self.cycle = Cycle(self.cycle.number + 1)
        elif now.pressure == "NORMAL" and self.phase not in ACTIVE:
            if self.phase == "scheduled":
                self._fire("leave")
            if self.cycle.semantic or self.cycle.checkpoint:
                self.cycle = Cycle(self.cycle.number + 1)

    def settle(self, now: Situation) -> Outcome:
        """Take note of a settled turn; start the checkpoint it may call for."""
        if not now.enabled:
            return Outcome("aili-off")
        self.observe(now)
        if self.manual is not None and self.manual.leaf != now.leaf:
            self._expire(native=False)
        if now.pressure not in CHECKPOINT:
            return Outcome("no-checkpoint-needed")
        if now.compaction is False:
            self._count("withheld")
            return Outcome("user-disabled-compaction")
        if self.cycle.checkpoint and self.phase != "scheduled":
            self._count("ignored")
            return Outcome("cycle-had-its-checkpoint")
        if self._running is not None:
            return Outcome("checkpoint-under-way", self._running)
        if self.phase != "scheduled":
            self._begin()
        return self._invoke() if agrees(self._host.is_idle) else Outcome("scheduled", self.request)

    def semantic(self, now: Situation) -> Attempt | None:
        """Take this cycle's semantic attempt, or the one the user permitted; None if neither is."""
        if not now.enabled:
            return None
        self.observe(now)
        permit = self.manual
        quiet = now.restored or not now.planning or now.pressure == "NORMAL"
        if permit is None and (self.cycle.semantic or quiet):
            return None
        if now.pressure in CHECKPOINT:
            return None
        if permit is not None:
            self.manual = None
            self._count("permits_used")
        self.cycle = evolve(self.cycle, semantic=True)
        self._count("semantic_attempts")
        return Attempt(permit)

    def completed(self, request: str | None = None) -> None:
        """Take note that a compaction came to its end; None for one the host began itself."""
        self._ended("complete", request)

    def failed(self, request: str | None = None) -> None:
        """Take note that one failed or was aborted."""
        self._ended("error", request)

    def before_compact(
        self, snapshot: Snapshot, event: CompactEvent | Mapping[str, Any]
    ) -> CompactionResult | None:
        """Answer the hook: a whole result, or None, which leaves everything to the host."""
        if not snapshot.enabled:
            return None
        given = event if isinstance(event, CompactEvent) else read_event(event)
        now = situation_of(snapshot)
        self.observe(now)
        if self.phase not in ACTIVE and given.request != self.request:
            self.request = None
        self._fire("hook")
        self.cycle = evolve(self.cycle, checkpoint=True)
        key = (now.session_id, now.leaf, now.epoch, given)
        if key in self._answers:
            self._count("replays")
            return self._answers.get(key)
        result: CompactionResult | None = None
        if self.native is not None and self.native.fits(now, given.reason, given.request):
            self.native = None
            self._count("permits_used", "native")
        else:
            self._count("plans")
            with suppress(Exception):  # the host's own summary is the answer to any error
                result = self._planner(snapshot, given)
        return self._answers.put(key, result)

    def rescue(self, now: Situation, *, native: bool = False) -> Outcome:
        """Call for one compaction, without any turn; `native` skips our own plan in it."""
        if (stop := self._busy(now)) is not None:
            return stop
        self.cycle = Cycle(self.cycle.number + 1, semantic=self.cycle.semantic)
        request = self._begin()
        if native:
            self.native = NativeOnlyCompactPermit(request, now.session_id, now.leaf, now.epoch)
            self._count("permits_granted")
        return self._invoke()

    def compress(self, now: Situation, focus: str = "") -> Outcome:
        """Start one short turn in which one summary may be made."""
        if (stop := self._busy(now)) is not None:
            return stop
        if now.pressure in CHECKPOINT:
            return Outcome("checkpoint-required")
        if self.manual is not None:
            return Outcome("permit-outstanding", self.manual.request)
        request = self._new_request()
        wish, text = text_of(focus)
        self.manual = ManualCompactPermit(request, now.session_id, now.leaf, now.epoch, wish)
        self._count("permits_granted", "messages")
        if succeeds(lambda: self._host.send_user_message(text)):
            return Outcome("turn-started", request)
        self._expire(native=False)
        return Outcome("host-failed", request)

    def status(self) -> dict[str, Any]:
        """Return where things stand; nothing is called, sent or changed."""
        permits = {"nativeOnly": self.native is not None, "manual": self.manual is not None}
        return standing_of(self.phase, self.request, self.cycle, permits, self.counters)

    def _busy(self, now: Situation) -> Outcome | None:
        if not now.enabled:
            return Outcome("aili-off")
        self.observe(now)
        # Of a compaction of its own the host may never tell how it ended.
        if self.phase in ACTIVE and self.request is not None:
            return Outcome("checkpoint-under-way", self.request)
        return None if agrees(self._host.is_idle) else Outcome("not-idle")

    def _begin(self) -> str:
        self.request = request = self._new_request()
        self.cycle = evolve(self.cycle, checkpoint=True)
        self._fire("schedule")
        return request

    def _invoke(self) -> Outcome:
        """Call the host once for what is scheduled; its callbacks may come before it returns."""
        request = self.request
        self._fire("invoke")
        self._running = request
        self._count("compact_calls")
        if not succeeds(lambda: self._host.compact(request or "")):
            self._ended("error", request)
            return Outcome("host-failed", request)
        if self.phase == "invoking":
            self._fire("accept")
        return Outcome("invoked", request)

    def _ended(self, event: Event, request: str | None) -> None:
        if request in (None, self._running):
            self._running = None
        if request != self.request and request is not None:
            self._count("ignored")
            return
        self._fire(event)
        self._expire(manual=False)

    def _fire(self, event: Event) -> None:
        after = TRANSITIONS.get((self.phase, event))
        if after is None:
            self._count("ignored")
        else:
            self.phase = after

    def _new_request(self) -> str:
        self._requests += 1
        return f"req_{self._requests:06d}"

    def _expire(self, *, native: bool = True, manual: bool = True) -> None:
        """Withdraw permits that nobody used."""
        if native and self.native is not None:
            self.native = None
            self._count("permits_expired")
        if manual and self.manual is not None:
            self.manual = None
            self._count("permits_expired")

    def _count(self, *names: str) -> None:
        self.counters = self.counters.grown(*names)
