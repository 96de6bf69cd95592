"""nudge-inject: decide whether the model should be reminded, and stamp the state.

The stage decides and remembers; rendering the reminder is the host's, see
`kernel.wire.nudge_text`.
"""

from attrs import evolve

from kernel.nudge import NudgeDecision, decide_nudge, stamped
from kernel.stages.base import Context, Stage, Turn

__all__ = ["STAGE", "decide"]


def decide(turn: Turn, context: Context) -> NudgeDecision:
    """Return the decision for the view as it stands."""
    return decide_nudge(
        turn.messages, turn.state, context.config, context.token_count, context.ports
    )


def _run(turn: Turn, context: Context) -> Turn:
    decision = decide(turn, context)
    nudge = stamped(turn.state.nudge, decision, context.config, context.token_count)
    return evolve(turn, nudge=decision, state=evolve(turn.state, nudge=nudge))


STAGE = Stage("nudge-inject", _run, sound=True)
