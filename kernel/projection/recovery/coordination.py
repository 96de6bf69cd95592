"""What the coordinator of checkpoints is made of: phases, permits, counters, the host.

Laws: the phases move by one table, and an event the table does not name for a phase changes
nothing, so that doubled callbacks, races and repeated settles are harmless; a permit is for
one use, in one session, on one leaf, in one epoch.
"""

from collections.abc import Callable, Container, Hashable, Mapping
from typing import Any, Final, Generic, Literal, Protocol, TypeVar

from attrs import asdict, evolve, field, frozen

from kernel.projection.planning.pressure import PressureState
from kernel.projection.snapshot import Snapshot

__all__ = [
    "ACTIVE",
    "CHECKPOINT",
    "TERMINAL",
    "TRANSITIONS",
    "Answers",
    "Counters",
    "Cycle",
    "Event",
    "HostPort",
    "Outcome",
    "Phase",
    "Situation",
    "agrees",
    "situation_of",
    "standing_of",
    "succeeds",
]

#: Codes of wishes that were followed.
_DONE: Final = ("invoked", "scheduled", "turn-started")

Answer = TypeVar("Answer")
Phase = Literal[
    "idle",
    "scheduled",
    "invoking",
    "inFlight",
    "awaitingEpoch",
    "completed",
    "failed",
    "abandoned",
]
Event = Literal["schedule", "invoke", "accept", "hook", "complete", "error", "epoch", "leave"]
#: Phases in which a checkpoint is under way, and those in which one has ended.
ACTIVE: Final[frozenset[Phase]] = frozenset({"invoking", "inFlight"})
TERMINAL: Final[frozenset[Phase]] = frozenset({"completed", "failed", "abandoned"})
#: States of the pressure that a checkpoint relieves.
CHECKPOINT: Final[frozenset[PressureState]] = frozenset(
    {"CHECKPOINT_REQUIRED", "OVERFLOW_RECOVERY"}
)

TRANSITIONS: Final[Mapping[tuple[Phase, Event], Phase]] = {
    ("idle", "schedule"): "scheduled",
    ("completed", "schedule"): "scheduled",
    ("failed", "schedule"): "scheduled",
    ("abandoned", "schedule"): "scheduled",
    ("inFlight", "schedule"): "scheduled",
    ("awaitingEpoch", "schedule"): "scheduled",
    ("scheduled", "invoke"): "invoking",
    ("invoking", "accept"): "inFlight",
    ("invoking", "hook"): "inFlight",
    # The host compacts of itself; what was scheduled is not needed any more.
    ("idle", "hook"): "inFlight",
    ("scheduled", "hook"): "inFlight",
    ("completed", "hook"): "inFlight",
    ("failed", "hook"): "inFlight",
    ("abandoned", "hook"): "inFlight",
    ("invoking", "complete"): "awaitingEpoch",
    ("inFlight", "complete"): "awaitingEpoch",
    ("invoking", "error"): "failed",
    ("inFlight", "error"): "failed",
    # The log may show the new epoch before any callback tells of it.
    ("scheduled", "epoch"): "completed",
    ("invoking", "epoch"): "completed",
    ("inFlight", "epoch"): "completed",
    ("awaitingEpoch", "epoch"): "completed",
    ("scheduled", "leave"): "abandoned",
    ("invoking", "leave"): "abandoned",
    ("inFlight", "leave"): "abandoned",
    ("awaitingEpoch", "leave"): "abandoned",
}


class HostPort(Protocol):
    """What the coordinator may ask of its host; nothing else is ever called."""

    def is_idle(self) -> bool:
        """Tell whether no turn is running."""

    def compact(self, request: str) -> None:
        """Start the host's own compaction and return; how it ends is told by callbacks.

        The hook it leads to carries the request.
        """

    def send_user_message(self, text: str) -> None:
        """Start a turn with a message of the user."""


@frozen
class Situation:
    """Where a session stands: what bounds an attempt, and what calls for one.

    `path` holds the ids of the branch: a leaf that is in it was left behind by growing, not
    by a move. `compaction` is the user's own setting for automatic compaction, None where
    it is not known.
    """

    session_id: str
    epoch: str
    leaf: str | None
    path: Container[str] = field(repr=False, eq=False)
    pressure: PressureState = "NORMAL"
    enabled: bool = True
    planning: bool = True
    restored: bool = False
    compaction: bool | None = None

    def continues(self, old: "Situation") -> bool:
        """Tell whether this is the same branch, grown or not."""
        return self.session_id == old.session_id and (old.leaf is None or old.leaf in self.path)

    def trails(self, old: "Situation") -> bool:
        """Tell whether this is a place the same branch has passed in the same epoch.

        A settle that comes late is told of such a place, and so is a move back.
        """
        same = (self.session_id, self.epoch) == (old.session_id, old.epoch)
        return same and self.leaf != old.leaf and (self.leaf is None or self.leaf in old.path)


def situation_of(snapshot: Snapshot, *, compaction: bool | None = None) -> Situation:
    """Return where a snapshot stands; `compaction` is the user's setting for the host's own."""
    branch = snapshot.branch
    return Situation(
        branch.session_id,
        branch.epoch,
        branch.leaf,
        branch.position,
        snapshot.pressure.state,
        snapshot.enabled,
        snapshot.config.planning.enabled,
        snapshot.state.controls.restored,
        compaction,
    )


@frozen
class Cycle:
    """One stretch of pressure: at most one semantic attempt and one checkpoint."""

    number: int = 0
    semantic: bool = False
    checkpoint: bool = False


@frozen
class Counters:
    """What has been done so far; `ignored` are events that changed nothing."""

    compact_calls: int = 0
    messages: int = 0
    semantic_attempts: int = 0
    plans: int = 0
    replays: int = 0
    native: int = 0
    withheld: int = 0
    ignored: int = 0
    permits_granted: int = 0
    permits_used: int = 0
    permits_expired: int = 0

    def grown(self, *names: str) -> "Counters":
        """Return the counters with one more of each name."""
        return evolve(self, **{name: getattr(self, name) + 1 for name in names})


def standing_of(
    phase: Phase, request: str | None, cycle: Cycle, permits: Mapping[str, bool], counted: Counters
) -> dict[str, Any]:
    """Return where things stand, as JSON."""
    told = {"phase": phase, "request": request, "cycle": asdict(cycle)}
    return {**told, "permits": dict(permits), "counters": asdict(counted)}


class Answers(Generic[Answer]):
    """Answers of the hook by where they were given, oldest forgotten first."""

    def __init__(self, most: int = 16) -> None:
        """Remember so many at most."""
        self._most = most
        self._known: dict[Hashable, Answer] = {}

    def __contains__(self, key: Hashable) -> bool:
        """Tell whether an answer is remembered."""
        return key in self._known

    def __len__(self) -> int:
        """Return how many answers are remembered."""
        return len(self._known)

    def get(self, key: Hashable) -> Answer:
        """Return a remembered answer."""
        return self._known[key]

    def put(self, key: Hashable, answer: Answer) -> Answer:
        """Remember an answer, and return it."""
        if len(self._known) >= self._most:
            del self._known[next(iter(self._known))]
        self._known[key] = answer
        return answer


def agrees(ask: Callable[[], bool]) -> bool:
    """Ask a host; what cannot be asked is a no."""
    try:
        return ask()
    except Exception:  # noqa: BLE001 - a host's error is an answer here
        return False


def succeeds(call: Callable[[], object]) -> bool:
    """Call a host; tell whether it took the call without an error."""
    try:
        call()
    except Exception:  # noqa: BLE001 - a host's error is an outcome here
        return False
    return True


@frozen
class Outcome:
    """What came of a wish: a bounded code, and the request it made or met."""

    code: str
    request: str | None = None

    @property
    def done(self) -> bool:
        """Tell whether the wish was followed."""
        return self.code in _DONE
