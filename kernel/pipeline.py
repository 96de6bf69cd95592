"""The turn: ten stages in one visible tuple, and `process_turn` that runs them.

Laws: a stage takes a turn and gives a turn; the order of `STAGES` is canonical and a
host may add, replace or drop a stage by name; no stage reads a clock or touches a file.
Whatever the stages did, the view that leaves is sound: should one have touched calls or
results after pruning, the pairs are settled once more.
"""

from collections.abc import Sequence
from typing import Final, Literal

from attrs import evolve, frozen

from kernel.config import Config
from kernel.model import CoreMessage
from kernel.nudge import NudgeDecision
from kernel.ports import Ports
from kernel.stages import (
    assign_refs,
    ccr_store,
    emergency_truncate,
    filter_messages,
    hide_compress_calls,
    merge_blocks,
    nudge_inject,
    prune,
    render_refs,
    sync_blocks,
)
from kernel.stages.base import Context, Effect, Overflow, RenderTags, Stage, Turn, view_bytes
from kernel.state import CompressionState, MessageContentStore

__all__ = [
    "STAGES",
    "Context",
    "Effect",
    "Overflow",
    "RenderTags",
    "Stage",
    "Turn",
    "TurnResult",
    "added",
    "dropped",
    "placed",
    "process_turn",
    "replaced",
    "run",
]

#: The stages of a turn, in order.
STAGES: Final[tuple[Stage, ...]] = (
    assign_refs.STAGE,
    sync_blocks.STAGE,
    merge_blocks.STAGE,
    prune.STAGE,
    ccr_store.STAGE,
    filter_messages.STAGE,
    hide_compress_calls.STAGE,
    nudge_inject.STAGE,
    emergency_truncate.STAGE,
    render_refs.STAGE,
)


@frozen
class TurnResult:
    """What a turn hands the host: the view, the state to keep, a reminder, the store.

    `effects` names every change of earlier bytes of the view (a merge, a filter, hidden
    compress calls, a truncation) with the first byte it changes; `diagnostics` says what
    was mended in the given state; `overflow` is there when the view still exceeds the
    window and nothing more can be cut.

    Attributes:
        messages: What to send.
        state: The state to keep.
        nudge: Whether to remind.
        content_store: What folds took out of view.
    """

    messages: Sequence[CoreMessage]
    state: CompressionState
    nudge: NudgeDecision
    content_store: MessageContentStore
    effects: tuple[Effect, ...] = ()
    diagnostics: tuple[str, ...] = ()
    overflow: Overflow | None = None


def replaced(name: str, stage: Stage, stages: Sequence[Stage] = STAGES) -> tuple[Stage, ...]:
    """Return the stages with the named one exchanged; raises KeyError for a name there is not."""
    _find(name, stages)
    return tuple(stage if item.name == name else item for item in stages)


def dropped(name: str, stages: Sequence[Stage] = STAGES) -> tuple[Stage, ...]:
    """Return the stages without the named one; raises KeyError for a name there is not."""
    _find(name, stages)
    return tuple(item for item in stages if item.name != name)


def added(
    stage: Stage,
    *,
    side: Literal["before", "after"],
    name: str,
    stages: Sequence[Stage] = STAGES,
) -> tuple[Stage, ...]:
    """Return the stages with one more, before or after the named one.

    Raises KeyError for a name there is not.
    """
    at = _find(name, stages) + (side == "after")
    return (*stages[:at], stage, *stages[at:])


def _find(name: str, stages: Sequence[Stage]) -> int:
    for index, stage in enumerate(stages):
        if stage.name == name:
            return index
    known = ", ".join(stage.name for stage in stages)
    raise KeyError(f"no stage is called {name!r}: use one of {known}")


def process_turn(
    messages: Sequence[CoreMessage],
    state: CompressionState | None = None,
    config: Config | None = None,
    token_count: float = 0,
    *,
    content_store: MessageContentStore | None = None,
    ports: Ports | None = None,
    render_tags: RenderTags = "all",
    stages: Sequence[Stage] = STAGES,
) -> TurnResult:
    """Run one turn of the pipeline over the raw history of a session.

    `token_count` is what the host believes the context holds. Neither the messages nor
    the state are changed; equal inputs give equal results. Seed §4.

    >>> from kernel import CoreMessage, process_turn
    >>> ask = CoreMessage(id="u1", role="user", content_type="text", text="Use UTC.")
    >>> turn = process_turn([ask], token_count=900)
    >>> print(turn.messages[0].text)
    <acp tokens="2" type="text">m00001</acp>
    Use UTC.
    >>> turn.nudge.should_inject
    False
    """
    context = Context(
        raw=messages,
        config=Config() if config is None else config,
        token_count=token_count,
        ports=Ports() if ports is None else ports,
        render_tags=render_tags,
    )
    turn = Turn(
        messages=messages,
        state=CompressionState() if state is None else state,
        store=MessageContentStore() if content_store is None else content_store,
    )
    turn = run(turn, context, stages)
    decision = turn.nudge or nudge_inject.decide(turn, context)
    return TurnResult(
        turn.messages,
        turn.state,
        decision,
        turn.store,
        placed(turn),
        turn.diagnostics,
        turn.overflow,
    )


def run(turn: Turn, context: Context, stages: Sequence[Stage]) -> Turn:
    """Run stages over a turn, keeping the view sound after those that are not our own."""
    for stage in stages:
        if not stage.enabled(turn, context):
            continue
        before = turn.messages
        turn = stage.run(turn, context)
        if not stage.sound and turn.messages is not before:
            turn = evolve(turn, messages=prune.sound(turn.messages))
    return turn


def placed(turn: Turn) -> tuple[Effect, ...]:
    """Turn the place of each effect into a byte of the finished view."""
    if not turn.effects:
        return ()
    return tuple(
        evolve(effect, first_byte=view_bytes(turn.messages, effect.after) + effect.inner)
        for effect in turn.effects
    )
