"""assign-refs: give each new message a short ref the model can name.

Laws: refs are never renumbered or reused; one raw id has one ref; a protected message
gets none (BLOCKED) where the host named protected tools; what the kernel made itself
takes no number. Beyond 99,999 refs grow by a digit.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.config import Config
from kernel.model import BLOCKED, CoreMessage, is_synthetic
from kernel.ports import Ports
from kernel.protection import hides_refs, protector
from kernel.stages.base import Context, Stage, Turn
from kernel.state import CompressionState, MessageRefs, highest_ref, ref_name
from kernel.visitor import Visitor, walk

__all__ = ["STAGE", "assign_refs"]


class _Namer(Visitor):
    """Gives each message it sees for the first time the next ref, or BLOCKED."""

    def __init__(self, state: CompressionState, config: Config, ports: Ports) -> None:
        self.by_raw = dict(state.message_refs.by_raw)
        self.by_ref = dict(state.message_refs.by_ref)
        self._number = highest_ref(state.message_refs)
        self._hides = hides_refs(config, ports)
        self._protects = protector(config, ports)

    def visit(self, message: CoreMessage) -> CoreMessage:
        """Name a message; the message itself stays as it is."""
        raw = message.id
        if not raw or raw in self.by_raw or (raw.startswith("acp_") and is_synthetic(message)):
            return message
        if self._hides and self._protects(message.tool_name):
            self.by_raw[raw] = BLOCKED
            return message
        self._number += 1
        while (ref := ref_name(self._number)) in self.by_ref:
            self._number += 1
        self.by_raw[raw] = ref
        self.by_ref[ref] = raw
        return message


def assign_refs(
    messages: Sequence[CoreMessage], state: CompressionState, config: Config, ports: Ports
) -> CompressionState:
    """Return the state with a ref for every message that had none."""
    known = state.message_refs.by_raw
    fresh = [message for message in messages if message.id not in known]
    if not fresh:
        return state
    namer = _Namer(state, config, ports)
    walk(fresh, namer)
    if len(namer.by_raw) == len(known):
        return state
    refs = MessageRefs(namer.by_raw, namer.by_ref, state.message_refs.extra)
    return evolve(state, message_refs=refs)


def _run(turn: Turn, context: Context) -> Turn:
    state = assign_refs(turn.messages, turn.state, context.config, context.ports)
    return turn if state is turn.state else evolve(turn, state=state)


STAGE = Stage("assign-refs", _run, sound=True)
