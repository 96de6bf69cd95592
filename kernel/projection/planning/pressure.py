"""Pressure: how full the window is, and what may still be started.

    use = window_use(branch, facts, state)          # tokens, by the provider where it said so
    state_of(use.tokens, window, overflow=use.overflow, config=config)

Laws: the thresholds are the settings' one table; usage a provider reported counts only
while it speaks of the present view, that is, after the latest compaction, context edit or
change of ours; what follows it, and everything where there is none, is estimated by the
one counter that also cuts the tail; a reported overflow outranks every count.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from attrs import frozen

from kernel.ports import Counter, count_tokens
from kernel.projection.log.branch import Branch
from kernel.projection.model import State
from kernel.projection.planning.facts import Facts, facts_of
from kernel.projection.planning.protection import covered_by
from kernel.projection.settings.config import Config
from kernel.sessions.pi_entries import Item

__all__ = [
    "SEMANTIC",
    "STATES",
    "PressureState",
    "WindowUse",
    "is_overflow",
    "state_of",
    "window_use",
]

PressureState = Literal[
    "NORMAL", "PRESSURE", "FORCE_SEMANTIC", "CHECKPOINT_REQUIRED", "OVERFLOW_RECOVERY"
]
#: The states, from the calmest.
STATES: Final[tuple[PressureState, ...]] = (
    "NORMAL",
    "PRESSURE",
    "FORCE_SEMANTIC",
    "CHECKPOINT_REQUIRED",
    "OVERFLOW_RECOVERY",
)
#: The states in which a semantic step may start.
SEMANTIC: Final = frozenset(STATES[:3])
#: What a recap costs beside its summary, and a stub for a result, in estimated tokens.
_RECAP: Final = 64
_STUB: Final = 48
_JOURNAL: Final = "aili.compact."
#: Switches that change no view.
_QUIET: Final = ("manual-on", "manual-off", "cache-panel-on", "cache-panel-off")
_OVERFLOW: Final = re.compile(
    r"context[ _-]?(?:length|window)[ _-]?(?:was |is )?exceed|exceeds? the (?:context|maximum)"
    r"|maximum context length|prompt is too long|input (?:is too long|token count)|too many tokens"
    r"|token limit exceeded|larger than the context|context overflow|model_context_window_exceeded",
    re.IGNORECASE,
)


@frozen
class WindowUse:
    """The tokens of the next request: reported by the provider, and estimated on top."""

    tokens: int
    reported: int
    estimated: int
    overflow: bool = False


def state_of(
    tokens: int, window: int | None, *, overflow: bool = False, config: Config
) -> PressureState:
    """Return the pressure at a use of the window; an unknown window presses only by overflow."""
    if overflow:
        return "OVERFLOW_RECOVERY"
    if not window or window < 0:
        return "NORMAL"
    starts = config.pressure
    share = tokens / window
    if share >= starts.overflow_recovery:
        return "OVERFLOW_RECOVERY"
    if share >= starts.checkpoint_required:
        return "CHECKPOINT_REQUIRED"
    if share >= starts.force_semantic:
        return "FORCE_SEMANTIC"
    return "PRESSURE" if share >= starts.pressure else "NORMAL"


def window_use(
    branch: Branch,
    facts: Sequence[Facts] | None = None,
    state: State | None = None,
    counter: Counter = count_tokens,
) -> WindowUse:
    """Return how much of the window the next request of a branch takes."""
    known = (
        tuple(facts_of(source, counter) for source in branch.sources) if facts is None else facts
    )
    overflow = _overflowed(branch.path)
    usage = branch.usage
    if usage is not None and not _changed_since(branch.path, usage.position):
        position = branch.position
        after = 0
        for source in reversed(branch.sources):
            if position[source.entry_id] <= usage.position:
                break
            after += known[source.index].tokens
        return WindowUse(usage.tokens + after, usage.tokens, after, overflow)
    estimated = _estimate(branch, known, state, counter)
    return WindowUse(estimated, 0, estimated, overflow)


def _estimate(branch: Branch, facts: Sequence[Facts], state: State | None, counter: Counter) -> int:
    """Return the estimated tokens of the view: what is raw, recaps, stubs."""
    if state is None or state.fault is not None or not state.controls.enabled:
        return sum(one.tokens for one in facts)
    covered = covered_by(state)
    total = sum(counter(block.summary) + _RECAP for block in state.active())
    for source, one in zip(branch.sources, facts, strict=True):
        if source.entry_id not in covered:
            total += _STUB if source.entry_id in state.cooled else one.tokens
    return total


def _changed_since(path: Sequence[Item], position: int) -> bool:
    """Tell whether the journal changed the view after an entry of the path."""
    return any(_changes_view(path[at].value) for at in range(len(path) - 1, position, -1))


def _changes_view(value: Mapping[str, Any]) -> bool:
    """Tell a journal entry after which a model is shown something else."""
    if value.get("type") != "custom" or not str(value.get("customType")).startswith(_JOURNAL):
        return False
    data = value.get("data")
    payload = data.get("payload") if isinstance(data, Mapping) else None
    return not (isinstance(payload, Mapping) and payload.get("action") in _QUIET)


def is_overflow(message: Mapping[str, Any]) -> bool:
    """Tell an assistant message by which the provider said that the window is too small."""
    said = message.get("errorMessage")
    return (
        message.get("role") == "assistant"
        and message.get("stopReason") == "error"
        and isinstance(said, str)
        and _OVERFLOW.search(said) is not None
    )


def _overflowed(path: Sequence[Item]) -> bool:
    """Tell whether the newest answer was an overflow that nothing has relieved since."""
    for at in range(len(path) - 1, -1, -1):
        value = path[at].value
        if value.get("type") in ("compaction", "context_edit") or _changes_view(value):
            return False
        message = value.get("message")
        if isinstance(message, Mapping) and message.get("role") == "assistant":
            return is_overflow(message)
    return False
