"""hide-compress-calls: show only those compress calls that still say something.

Laws: calls whose blocks are active stay; of the calls that made no block the newest two
stay, so that a model sees its failures without drowning in them; every other call goes
with its result. A kept batch whose entries are partly consumed is rewritten to its live
entries, recognised by their recorded refs, in every spelling the argument parser knows.
"""

import json
from collections.abc import Sequence
from typing import Any

from attrs import evolve

from kernel.arguments import entry_refs
from kernel.model import COMPRESS_TOOL, CoreMessage, with_text
from kernel.pairs import pair
from kernel.stages.base import Context, Effect, Stage, Turn
from kernel.stages.prune import sound
from kernel.state import CompressionState

__all__ = ["STAGE", "hide_compress_calls"]

_VISIBLE_FAILURES = 2


def hide_compress_calls(
    messages: Sequence[CoreMessage], state: CompressionState
) -> tuple[Sequence[CoreMessage], int, int]:
    """Return the view without stale compress calls, how many messages went, where first.

    The place is an index into `messages`, -1 where nothing changed.
    """
    calls = [
        index
        for index, message in enumerate(messages)
        if message.tool_name == COMPRESS_TOOL and message.content_type == "tool-call"
    ]
    if not calls:
        return messages, 0, -1
    partner = pair(messages)
    kept = _kept_calls(messages, calls, state)
    hidden = {index for index in calls if index not in kept}
    hidden |= {partner[index] for index in hidden if index in partner}
    out = list(messages)
    touched = set(hidden)
    for index in kept:
        text = _live_text(messages[index], state)
        if text != messages[index].text:
            out[index] = with_text(messages[index], text or "")
            touched.add(index)
    if not touched:
        return messages, 0, -1
    if not hidden:
        return out, 0, min(touched)
    remaining = [index for index in range(len(out)) if index not in hidden]
    return sound(out, remaining), len(hidden), min(touched)


def _kept_calls(
    messages: Sequence[CoreMessage], calls: Sequence[int], state: CompressionState
) -> set[int]:
    live = {block.compress_call_id for block in state.blocks if block.active}
    known = {block.compress_call_id for block in state.blocks}
    named = [index for index in calls if messages[index].tool_call_id]
    kept = {index for index in named if messages[index].tool_call_id in live}
    failed = [index for index in named if messages[index].tool_call_id not in known]
    return kept | set(failed[-_VISIBLE_FAILURES:])


def _live_text(message: CoreMessage, state: CompressionState) -> str | None:
    blocks = [
        block
        for block in state.blocks
        if block.active and block.compress_call_id == message.tool_call_id
    ]
    if not blocks or any(block.start_ref is None or block.end_ref is None for block in blocks):
        return message.text
    try:
        arguments = json.loads(message.text or "")
    except ValueError:
        return message.text
    content = arguments.get("content") if isinstance(arguments, dict) else None
    if not isinstance(content, list):
        return message.text
    pairs = {(block.start_ref, block.end_ref) for block in blocks}
    entries: list[Any] = [entry for entry in content if entry_refs(entry) in pairs]
    if not entries or len(entries) == len(content):
        return message.text
    return json.dumps({**arguments, "content": entries}, ensure_ascii=False, separators=(",", ":"))


def _run(turn: Turn, context: Context) -> Turn:  # noqa: ARG001 - the shape of a stage
    messages, hidden, first = hide_compress_calls(turn.messages, turn.state)
    if first < 0:
        return turn
    after = turn.messages[first - 1].id if first else ""
    effect = Effect("hide-compress-calls", "hidden", hidden, after)
    return evolve(turn, messages=messages, effects=(*turn.effects, effect))


STAGE = Stage("hide-compress-calls", _run, sound=True)
