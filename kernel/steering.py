"""Output steering: how long the next answer should be and how hard to think.

A pure table over the structure of the last turns, roles and block kinds, no content.
Law: off by default; the decision is advice, the landing is the host's.

| the last message is | turn class | verbosity | effort clamp |
|---|---|---|---|
| a user text, or nothing | request | normal | none |
| a tool result or an open call | tool-loop | terse; minimal from step 4 | medium from step 4, low from step 8 |
| an assistant text | reply | normal | none |
| an assistant reasoning | reasoning | normal | none |

A step is one answered call turn since the last user text; a user text ends the loop.
"""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from kernel.model import CoreMessage

__all__ = [
    "EFFORT",
    "VERBOSITY",
    "SteeringDecision",
    "Structure",
    "decide_output_steering",
    "structure_of",
]

# The first row whose step is reached holds.
VERBOSITY: Final = ((4, "minimal"), (0, "terse"))
EFFORT: Final = ((8, "low"), (4, "medium"), (0, None))


@frozen
class Structure:
    """One message without its content: who spoke and what kind of block."""

    role: str
    content_type: str


@frozen
class SteeringDecision:
    """The advice: `effort_clamp` is the highest effort to use, None for no clamp.

    Attributes:
        enabled: Whether the host asked for advice.
        turn_class: What kind of turn it is.
        verbosity: How long an answer should be.
        steps: How many tool turns there were since the last user text.
    """

    enabled: bool
    turn_class: str
    verbosity: str = "normal"
    effort_clamp: str | None = None
    steps: int = 0


def structure_of(messages: Sequence[CoreMessage]) -> list[Structure]:
    """Strip messages to what steering looks at."""
    return [Structure(message.role, message.content_type) for message in messages]


def decide_output_steering(
    blocks: Sequence[Structure], *, enabled: bool = False
) -> SteeringDecision:
    """Classify the coming turn and look the advice up. Seed §6."""
    turn_class = _turn_class(blocks)
    steps = _loop_steps(blocks) if turn_class == "tool-loop" else 0
    if not enabled or turn_class != "tool-loop":
        return SteeringDecision(enabled, turn_class, steps=steps)
    verbosity = next(word for step, word in VERBOSITY if steps >= step)
    effort = next(word for step, word in EFFORT if steps >= step)
    return SteeringDecision(enabled, turn_class, verbosity, effort, steps)


def _turn_class(blocks: Sequence[Structure]) -> str:
    for block in reversed(blocks):
        if block.content_type in ("tool-result", "tool-call"):
            return "tool-loop"
        if block.role == "assistant":
            return "reasoning" if block.content_type == "reasoning" else "reply"
        if block.role == "user":
            return "request"
    return "request"


def _loop_steps(blocks: Sequence[Structure]) -> int:
    """Count the tool turns since the last user text: a step begins at a call after no call."""
    steps = 0
    calling = False
    for block in reversed(blocks):
        if block.role == "user" and block.content_type == "text":
            break
        if block.content_type == "tool-call":
            steps += not calling
            calling = True
        elif block.content_type == "tool-result":
            calling = False
    return steps
