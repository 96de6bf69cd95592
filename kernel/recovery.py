"""Recovering the state of a history that has none: replay its own compress calls.

Law: the replay goes through the same door as a live call; what a call cannot do in the
history, the replay does not do either. Only calls that got a result are replayed.
"""

import json
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from kernel.arguments import parse_compress_args
from kernel.compress import apply_compression
from kernel.config import Config
from kernel.model import COMPRESS_TOOL, CoreMessage
from kernel.ports import Ports
from kernel.stages.assign_refs import assign_refs
from kernel.state import CompressionState

__all__ = ["Rebuilt", "rebuild"]


@frozen
class Rebuilt:
    """The state the calls of a history lead to, and how many blocks they made.

    Attributes:
        state: The state.
        blocks_rebuilt: How many blocks it has anew.
    """

    state: CompressionState
    blocks_rebuilt: int


def rebuild(
    messages: Sequence[CoreMessage],
    config: Config | None = None,
    state: CompressionState | None = None,
    *,
    now: float = 0,
    ports: Ports | None = None,
) -> Rebuilt:
    """Give refs to a history and replay every compress call in it, in order."""
    config = Config() if config is None else config
    ports = Ports() if ports is None else ports
    start = CompressionState() if state is None else state
    built = assign_refs(messages, start, config, ports)
    made = 0
    for message in messages:
        if message.tool_name != COMPRESS_TOOL or message.content_type != "tool-call":
            continue
        if not _is_document(message.text):
            continue
        ranges = parse_compress_args(message.text or "", message.tool_call_id).ranges
        if not ranges:
            continue
        applied = apply_compression(ranges, messages, built, config, now=now, ports=ports)
        built = applied.state
        made += applied.result.blocks_created
    return Rebuilt(built if made else evolve(built, next_run_id=built.next_run_id), made)


def _is_document(text: str | None) -> bool:
    try:
        return isinstance(json.loads(text or ""), Mapping)
    except ValueError:
        return False
