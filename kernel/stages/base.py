"""What every stage is given and gives: the turn, its context, the effects to report."""

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import frozen

from kernel.config import Config
from kernel.model import CoreMessage
from kernel.nudge import NudgeDecision
from kernel.ports import Ports
from kernel.state import CompressionState, MessageContentStore

__all__ = [
    "Context",
    "Effect",
    "Overflow",
    "RenderTags",
    "Stage",
    "Turn",
    "always",
    "message_before",
    "view_bytes",
]

RenderTags = Literal["all", "text-only", "none"]


@frozen
class Context:
    """What stays the same over a turn."""

    raw: Sequence[CoreMessage]
    config: Config
    token_count: float
    ports: Ports
    render_tags: RenderTags = "all"


@frozen
class Effect:
    """A change of bytes the host may have sent before.

    `count` messages or blocks were touched by `stage`. `first_byte` is the offset of the
    first changed byte in the UTF-8 texts of the view, one after the other; it is worked
    out at the end of the turn from `after`, the last message left alone, and `inner`.
    """

    stage: str
    kind: str
    count: int
    after: str = ""
    inner: int = 0
    first_byte: int = 0


@frozen
class Overflow:
    """The view is too large and stays so: tokens above the window, tokens nobody may cut."""

    tokens_over: float
    irreducible_tokens: int


@frozen
class Turn:
    """What a stage may change: the view, the state, the store, the reports."""

    messages: Sequence[CoreMessage]
    state: CompressionState
    store: MessageContentStore
    removed: Sequence[CoreMessage] = ()
    nudge: NudgeDecision | None = None
    effects: tuple[Effect, ...] = ()
    diagnostics: tuple[str, ...] = ()
    overflow: Overflow | None = None


def always(turn: Turn, context: Context) -> bool:  # noqa: ARG001 - the shape of a guard
    """Run in every turn."""
    return True


@frozen
class Stage:
    """A named step. `sound` promises that it breaks no pair; leave it False if unsure.

    Attributes:
        name: Its name among the stages.
        run: What it does.
        enabled: Whether it runs in a turn.
    """

    name: str
    run: Callable[[Turn, Context], Turn]
    enabled: Callable[[Turn, Context], bool] = always
    sound: bool = False


def message_before(messages: Sequence[CoreMessage], index: int) -> str:
    """Return the id of the message before an index, empty at the head."""
    return messages[index - 1].id if index > 0 else ""


def view_bytes(messages: Sequence[CoreMessage], after: str) -> int:
    """Return the UTF-8 length of the texts up to and with the message of that id."""
    if not after:
        return 0
    total = 0
    for message in messages:
        total += len((message.text or "").encode("utf-8", "surrogatepass"))
        if message.id == after:
            break
    return total
