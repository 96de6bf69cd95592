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

__all__ = ["STAGE", "assign_refs"]


def assign_refs(
    messages: Sequence[CoreMessage], state: CompressionState, config: Config, ports: Ports
) -> CompressionState:
    """Return the state with a ref for every message that had none."""
    known = state.message_refs.by_raw
    fresh = [message for message in messages if message.id not in known]
    if not fresh:
        return state
    hides = hides_refs(config, ports)
    protects = protector(config, ports)
    by_raw = dict(known)
    by_ref = dict(state.message_refs.by_ref)
    number = highest_ref(state.message_refs)
    for message in fresh:
        raw = message.id
        if not raw or raw in by_raw or (raw.startswith("acp_") and is_synthetic(message)):
            continue
        if hides and protects(message.tool_name):
            by_raw[raw] = BLOCKED
            continue
        number += 1
        while (ref := ref_name(number)) in by_ref:
            number += 1
        by_raw[raw] = ref
        by_ref[ref] = raw
    if len(by_raw) == len(known):
        return state
    return evolve(state, message_refs=MessageRefs(by_raw, by_ref, state.message_refs.extra))


def _run(turn: Turn, context: Context) -> Turn:
    state = assign_refs(turn.messages, turn.state, context.config, context.ports)
    return turn if state is turn.state else evolve(turn, state=state)


STAGE = Stage("assign-refs", _run, sound=True)
