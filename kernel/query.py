"""Looking without changing: search, status, decompress, collect, retrieve.

Laws: nothing here changes a state; lookups are exact; a ref that means nothing gets an
answer that says so, never an exception.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from kernel.boundaries import parse_boundary
from kernel.config import ADVISORY, Config
from kernel.model import RETRIEVED_PREFIX, CompressionBlock, CoreMessage
from kernel.state import CompressionState, MessageContentStore, find_block, ref_name

__all__ = [
    "Collected",
    "Retrieved",
    "StatusReport",
    "collect",
    "decompress",
    "release",
    "retrieve",
    "search",
    "status",
]

_TOPIC = (0.15, 0.45)
_SUMMARY = (0.04, 0.2)
_LEAST = 0.1


@frozen
class StatusReport:
    """How full the window is and what folds exist; `advisory` names settings nothing reads.

    Attributes:
        context_usage: The share of the window that is used.
        token_count: As the host gave it.
        model_context_limit: The window in tokens.
        active_blocks: How many blocks hide something.
        total_blocks: How many there are.
        tokens_compressed: The tokens of all folds so far.
        breakdown: The blocks in figures.
    """

    context_usage: float
    token_count: float
    model_context_limit: float
    active_blocks: int
    total_blocks: int
    tokens_compressed: float
    breakdown: Mapping[str, int]
    advisory: tuple[str, ...] = ADVISORY


@frozen
class Collected:
    """The content behind a block as text, and how many pieces it has."""

    text: str
    count: int


@frozen
class Retrieved:
    """The answer to a retrieve call: an acknowledgement, and the message to show once.

    Attributes:
        found: Whether the ref is kept.
        ref: The ref asked for.
        ack: The answer to the call.
        message: What to show once, None where nothing was found.
    """

    found: bool
    ref: str
    ack: str
    message: CoreMessage | None = None


def search(query: str, state: CompressionState) -> tuple[CompressionBlock, ...]:
    """Return the active blocks that mention the words of a query, best first. Seed §4.

    >>> from kernel import CompressionBlock, CompressionState, search
    >>> block = CompressionBlock(block_id="b1", run_id="r1", tier=1, topic="time zones",
    ...     summary="The epoch column is local time.", effective_message_ids=["u1", "u2"])
    >>> state = CompressionState(blocks=[block])
    >>> [found.block_id for found in search("time", state)]
    ['b1']
    """
    terms = query.lower().split()
    scored = []
    for block in state.blocks:
        if block.active:
            topic, summary = (block.topic or "").lower(), block.summary.lower()
            score = sum(
                min(_TOPIC[0] * topic.count(term), _TOPIC[1])
                + min(_SUMMARY[0] * summary.count(term), _SUMMARY[1])
                for term in terms
            )
            if min(score, 1.0) > _LEAST:
                scored.append((min(score, 1.0), block))
    scored.sort(key=lambda item: -item[0])
    return tuple(block for _, block in scored)


def status(state: CompressionState, token_count: float, config: Config) -> StatusReport:
    """Report usage (0..1 of the window, 0 where it has no size) and blocks. Seed §4."""
    active = sum(block.active for block in state.blocks)
    limit = config.model_context_limit
    return StatusReport(
        context_usage=token_count / limit if limit > 0 else 0,
        token_count=token_count,
        model_context_limit=limit,
        active_blocks=active,
        total_blocks=len(state.blocks),
        tokens_compressed=state.stats.tokens_compressed,
        breakdown={"active": active, "total": len(state.blocks)},
    )


def decompress(block_id: str, state: CompressionState) -> CompressionBlock | None:
    """Return a block by its exact id, active or not; the state does not change. Seed §4.

    >>> from kernel import CompressionBlock, CompressionState, decompress
    >>> block = CompressionBlock(block_id="b1", run_id="r1", tier=1,
    ...     summary="The epoch column is local time.", effective_message_ids=["u1", "u2"])
    >>> decompress("b1", CompressionState(blocks=[block])).effective_message_ids
    ('u1', 'u2')
    """
    return find_block(state, block_id)


def release(block_id: str, state: CompressionState, *, cascade: bool = False) -> CompressionState:
    """Open a block for good: its messages come back and no later turn closes it again.

    The blocks it had taken in show again in its place; with `cascade` they are opened
    too. A block that is not active hides nothing: then the state comes back as it is.
    """
    block = find_block(state, block_id)
    if block is None or not block.active:
        return state
    opened = {block_id}
    if cascade:
        opened |= _descendants(block, state)
    revived = set(block.direct_block_ids) - opened
    return evolve(
        state,
        blocks=[
            evolve(item, active=False, released=True)
            if item.block_id in opened
            else evolve(item, active=True)
            if item.block_id in revived and not item.released
            else item
            for item in state.blocks
        ],
    )


def _descendants(block: CompressionBlock, state: CompressionState) -> set[str]:
    by_id = {item.block_id: item for item in state.blocks}
    found: set[str] = set()
    queue = list(block.direct_block_ids)
    while queue:
        child = by_id.get(queue.pop())
        if child is not None and child.block_id not in found:
            found.add(child.block_id)
            queue.extend(child.direct_block_ids)
    return found


def collect(
    block_id: str,
    state: CompressionState,
    messages: Sequence[CoreMessage],
    *,
    full: bool = False,
) -> Collected | None:
    """Return what a block hides as text: messages, and by default active children's summaries."""
    boundary = parse_boundary(block_id)
    wanted = f"b{boundary.numeric_id}" if boundary and boundary.kind == "block" else block_id
    block = find_block(state, wanted)
    if block is None:
        return None
    hidden = set(block.effective_message_ids)
    pieces: list[str] = []
    if not full:
        for child_id in block.direct_block_ids:
            child = find_block(state, child_id)
            if child is not None and child.active:
                topic = f" • {child.topic}" if child.topic else ""
                pieces.append(f"[block {child_id}{topic}]\n{child.summary}")
                hidden.difference_update(child.effective_message_ids)
    pieces.extend(_shown(message) for message in messages if message.id in hidden)
    return Collected("\n\n".join(pieces), len(pieces))


def _shown(message: CoreMessage) -> str:
    tool = f" • {message.tool_name}" if message.tool_name else ""
    return f"[{message.role}{tool}]\n{message.text or ''}"


def retrieve(store: MessageContentStore, ref: str) -> Retrieved:
    """Look a ref up in the content store; what is found is shown in a passing message.

    The message has the reserved prefix, takes no ref and is never folded. Seed §4.
    """
    entries = store.entries
    boundary = parse_boundary(ref, 10**9)
    key = ref.strip().lower()
    if key not in entries and boundary is not None and boundary.kind == "message":
        key = ref_name(boundary.numeric_id)
    found = entries.get(key)
    if found is None:
        hint = "only messages hidden by a fold are kept; copy a ref from a tag you have seen"
        return Retrieved(found=False, ref=ref, ack=f"Nothing is stored under {ref}: {hint}.")
    tool = f", {found.tool_name}" if found.tool_name else ""
    text = f"[Retrieved {key}: {found.role} {found.content_type}{tool}]\n{found.text or ''}"
    message = CoreMessage(f"{RETRIEVED_PREFIX}{key}", "system", "text", text)
    return Retrieved(found=True, ref=key, ack=f"{key} follows in full, once.", message=message)
