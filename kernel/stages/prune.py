"""prune: hide what active blocks cover and show their summaries.

Laws (seed §8): the first user message always stays; a summary stands where its block
begins, moved before any tool turn, or reasoning with its answer, that it would split;
every call in the view is answered in its own turn and every result called; reasoning
stands directly before its answer; a non-empty input gives a non-empty view.
"""

from collections.abc import Collection, Sequence

from attrs import evolve, frozen

from kernel.model import (
    PLACEHOLDER_ID,
    SUMMARY_HEADER,
    CompressionBlock,
    CoreMessage,
    is_summary,
    summary_id,
)
from kernel.pairs import in_flight, pair, safe_anchor, settle, turn_of
from kernel.stages.base import Context, Stage, Turn
from kernel.state import CompressionState, covered_ids
from kernel.text import repair, trim
from kernel.thoughts import attached

__all__ = ["STAGE", "Pruned", "first_user", "prune", "render_summary", "sound"]

_EMPTY = "[Nothing of this conversation is left to show.]"


@frozen
class Pruned:
    """The view, and the messages that left it."""

    messages: Sequence[CoreMessage]
    removed: Sequence[CoreMessage]


def render_summary(block: CompressionBlock) -> CoreMessage:
    """Return the message that stands for a block: header, topic, trimmed summary."""
    heading = f"{SUMMARY_HEADER} — {repair(block.topic)}" if block.topic else SUMMARY_HEADER
    body = trim(repair(block.summary))
    text = f"{heading}\n{body}" if body else heading
    return CoreMessage(summary_id(block.block_id), "system", "text", text)


def first_user(messages: Sequence[CoreMessage]) -> int:
    """Return the index of the first user message, -1 without one."""
    for index, message in enumerate(messages):
        if message.role == "user":
            return index
    return -1


def prune(
    messages: Sequence[CoreMessage], state: CompressionState, *, inject_summaries: bool = True
) -> Pruned:
    """Return the view of `messages` under the state's active blocks."""
    active = [block for block in state.blocks if block.active]
    covered = covered_ids(state.blocks)
    partner = pair(messages)
    if not active:
        return _rebuilt(messages, list(range(len(messages))), partner, {}, covered)
    pinned = first_user(messages)
    own = {summary_id(block.block_id) for block in active}
    kept = [
        index
        for index, message in enumerate(messages)
        if (message.id not in covered and not (message.id in own and is_summary(message)))
        or index == pinned
    ]
    shown = _anchors(messages, active) if inject_summaries else {}
    return _rebuilt(messages, kept, partner, shown, covered)


def sound(messages: Sequence[CoreMessage], kept: list[int] | None = None) -> Sequence[CoreMessage]:
    """Return the messages (or a selection of them) with every broken pair left out."""
    chosen = list(range(len(messages))) if kept is None else kept
    return _rebuilt(messages, chosen, pair(messages), {}, ()).messages


def _anchors(
    messages: Sequence[CoreMessage], active: Sequence[CompressionBlock]
) -> dict[int, list[CompressionBlock]]:
    """Map each anchor index to the blocks shown there, in state order."""
    places: dict[str, int] = {}
    for index, message in enumerate(messages):
        places.setdefault(message.id, index)
    anchors: dict[int, list[CompressionBlock]] = {}
    for block in active:
        at = places.get(summary_id(block.block_id), -1)
        if at < 0 or not is_summary(messages[at]):
            found = [places[raw] for raw in block.effective_message_ids if raw in places]
            at = min(found, default=0)
        anchors.setdefault(at, []).append(block)
    return anchors


def _rebuilt(
    messages: Sequence[CoreMessage],
    kept: list[int],
    partner: dict[int, int],
    shown: dict[int, list[CompressionBlock]],
    covered: Collection[str],
) -> Pruned:
    flying = in_flight(messages, partner)
    if flying and covered:
        members = turn_of(messages, min(flying), partner)
        if any(messages[index].id in covered for index in members):
            flying = set()
    settled = settle(messages, kept, partner, flying)
    moved: dict[int, list[CompressionBlock]] = {}
    for index in sorted(shown):
        moved.setdefault(safe_anchor(index, settled.spans), []).extend(shown[index])
    final = attached(messages, settled.kept, set(moved))
    if not moved and len(final) == len(messages):
        return Pruned(messages, ())
    view = _woven(messages, final, moved)
    if not view and messages:
        view = [CoreMessage(PLACEHOLDER_ID, "system", "text", _EMPTY)]
    staying = set(final)
    removed = [message for index, message in enumerate(messages) if index not in staying]
    return Pruned(view, removed)


def _woven(
    messages: Sequence[CoreMessage], final: list[int], moved: dict[int, list[CompressionBlock]]
) -> list[CoreMessage]:
    """Put the summaries before the messages they precede."""
    if not moved:
        return [messages[index] for index in final]
    view: list[CoreMessage] = []
    anchors = sorted(moved, reverse=True)
    for index in final:
        while anchors and anchors[-1] <= index:
            view.extend(render_summary(block) for block in moved[anchors.pop()])
        view.append(messages[index])
    while anchors:
        view.extend(render_summary(block) for block in moved[anchors.pop()])
    return view


def _run(turn: Turn, context: Context) -> Turn:  # noqa: ARG001 - the shape of a stage
    pruned = prune(turn.messages, turn.state)
    if pruned.messages is turn.messages:
        return turn
    return evolve(turn, messages=pruned.messages, removed=pruned.removed)


STAGE = Stage("prune", _run, sound=True)
