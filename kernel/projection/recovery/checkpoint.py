"""The checkpoint: a compaction made of what blocks already say, or nothing.

    result = before_compact(snapshot, event)      # CompactionResult, or None

None leaves everything to the host: its summary, its retry, its errors. Laws: never a
cancel, never an error, never part of a result; manual, threshold and overflow are answered
alike; what is summarised is covered by accepted evidence, the tail that is kept is near
the host's own measure by our counter, and the context after it is smaller than the raw one,
no larger than the view but for its frame, not under the same pressure, and breaks no law of a provider that the history kept.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kernel.ports import count_tokens
from kernel.projection.log.digests import leaf_digest
from kernel.projection.recovery.compaction import CompactEvent, CompactionResult, read_event
from kernel.projection.recovery.coverage import Piece, pieces_of, reach_of
from kernel.projection.recovery.cuts import Cut, cuts_of
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.checks import is_worse
from kernel.projection.view.projector import RawItem
from kernel.sessions.pi_entries import Item, context_of, edits_of, message_of
from kernel.text import repair
from kernel.wire.history import flat_text

__all__ = ["CompactEvent", "CompactionResult", "before_compact", "read_event"]

#: How far a tail may pass the measure.
_TOLERANCE: Final = 1.25
#: Tokens of a message beside its text, and of what the host wraps a summary in.
_ENVELOPE: Final = 4
_WRAPPED: Final = 48
#: Tokens a checkpoint may be longer than the recaps it takes the place of.
_FRAME: Final = 128
_MOST_BLOCKS: Final = 64
#: In older logs entries have no ids the host would know again.
_WRITABLE: Final = 3
_LEAD: Final = (
    "Record of the conversation before the messages that follow, put together from "
    "summaries made on the way."
)


def before_compact(
    snapshot: Snapshot, event: CompactEvent | Mapping[str, Any] | None = None
) -> CompactionResult | None:
    """Return a proved checkpoint for a branch, None where the host shall make its own."""
    try:
        given = event if isinstance(event, CompactEvent) else read_event(event)
        return _planned(snapshot, given)
    except Exception:  # noqa: BLE001 - any error here is the host's turn, and no error of it
        return None


def _planned(snapshot: Snapshot, event: CompactEvent) -> CompactionResult | None:
    if not snapshot.enabled or snapshot.state.fault is not None or snapshot.projection.fault:
        return None
    if snapshot.tree.version != _WRITABLE:
        return None
    view, raw = _view_tokens(snapshot), sum(one.tokens for one in snapshot.facts)
    # A cut behind which raw messages of blocks and stubs come back saves nothing.
    most = min(view + _FRAME, raw - 1)
    cut = _chosen(snapshot, event.keep_recent_tokens, most)
    pieces = None if cut is None else pieces_of(snapshot, cut)
    if cut is None or not pieces:
        return None
    summary = repair(_text(pieces))
    after = count_tokens(summary) + _WRAPPED + cut.tail
    if after > most or not _relieves(snapshot, view - after):
        return None
    use = snapshot.pressure.use.tokens
    told = use if event.tokens_before is None else event.tokens_before
    result = CompactionResult(summary, cut.entry_id, told, _details(snapshot, cut, pieces))
    return result if _is_proved(snapshot, cut, result) else None


def _chosen(snapshot: Snapshot, keep: int, most: int) -> Cut | None:
    """Return the covered cut whose tail is nearest to the measure, of those with a small context."""
    reach = reach_of(snapshot)
    fit = (
        cut
        for cut in cuts_of(snapshot.branch, snapshot.atoms, snapshot.facts)
        if cut.tail <= keep * _TOLERANCE
        and reach.covers(cut)
        and reach.texts[cut.first] + cut.tail <= most
    )
    return min(fit, key=lambda cut: (abs(cut.tail - keep), -cut.tail), default=None)


def _view_tokens(snapshot: Snapshot) -> int:
    """Return the tokens of the present view, by the counter that measures the tail."""
    view = snapshot.projection
    total = 0
    for item, message in zip(view.items, view.messages, strict=True):
        if isinstance(item, RawItem):
            total += snapshot.facts[item.source.index].tokens
        else:
            total += count_tokens(flat_text(message.get("content"))) + _ENVELOPE
    return total


def _relieves(snapshot: Snapshot, saved: int) -> bool:
    """Tell whether the pressure ends that a checkpoint is for; without a window, any saving does."""
    window = snapshot.pressure.window
    if not window:
        return True
    left = snapshot.pressure.use.tokens - saved
    return left < snapshot.config.pressure.checkpoint_required * window


def _text(pieces: Sequence[Piece]) -> str:
    return "\n\n".join((_LEAD, *map(_section, pieces)))


def _section(piece: Piece) -> str:
    if piece.block is not None:
        topic = " ".join(piece.block.topic.split())
        head = f"{piece.block.ref} T{piece.block.tier}, {piece.count} messages"
        return f"## {head}{': ' if topic else ''}{topic}\n{piece.text}"
    if piece.kind == "carried":
        return f"## Earlier record\n{piece.text}"
    return f"## Between, {piece.count} messages in outline\n{piece.text}"


def _details(snapshot: Snapshot, cut: Cut, pieces: Sequence[Piece]) -> dict[str, Any]:
    """Return what proves the result, bounded and without any text."""
    gone = snapshot.branch.sources[: cut.first]
    blocks = [piece.block for piece in pieces if piece.block is not None]
    counts = dict.fromkeys(("block", "outline", "carried"), 0)
    for piece in pieces:
        counts[piece.kind] += piece.count
    return {
        "source": "aili-compact",
        "version": 1,
        "epoch": snapshot.branch.epoch,
        "base": snapshot.branch.leaf,
        "keptTokens": cut.tail,
        "messages": len(gone),
        "covered": counts["block"],
        "outlined": counts["outline"],
        "carried": counts["carried"],
        "leafDigest": leaf_digest((source.entry_id, source.digest) for source in gone),
        "blockCount": len(blocks),
        "blocks": [
            {"id": one.block_id, "ref": one.ref, "tier": one.tier, "leafDigest": one.leaf_digest}
            for one in blocks[:_MOST_BLOCKS]
        ],
    }


def _is_proved(snapshot: Snapshot, cut: Cut, result: CompactionResult) -> bool:
    """Append the checkpoint in thought: the summary, then exactly the tail, and nothing broken."""
    branch = snapshot.branch
    value = {"type": "compaction", **result.as_json()}
    context = context_of([*branch.path, Item("", branch.leaf, value, 0)])
    edits = edits_of(context)
    after = [message for item in context if (message := message_of(item, edits)) is not None]
    tail = [
        source.message
        for source in branch.sources[cut.first :]
        if source.message.get("role") != "system"
    ]
    first = snapshot.tree.by_id.get(cut.entry_id)
    if first is None or first.value.get("id") != cut.entry_id:
        return False
    if not result.summary.strip() or after[0].get("summary") != result.summary:
        return False
    if after[1:] != tail or not tail or tail[0].get("role") == "toolResult":
        return False
    # What the tail breaks by itself is the log's; the whole history is asked only beyond that.
    return not (
        is_worse(tail, after) and is_worse([source.message for source in branch.sources], after)
    )
