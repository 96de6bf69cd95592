"""Status and recap as text, for people and models.

Laws: the two scales, what the session folded and what the view holds, are never
subtracted from each other; what a block stood for is its own count, never a sum over
the blocks it took in; a share above nothing shows as at least 1 %.
"""

from collections.abc import Sequence
from typing import Literal

from kernel.breakdown import breakdown_of
from kernel.config import Config
from kernel.model import BLOCKED, CompressionBlock, CoreMessage
from kernel.ports import Ports, message_tokens
from kernel.query import status
from kernel.recommend import sized
from kernel.state import CompressionState, ref_number
from kernel.text import capped, short_count

__all__ = ["recap", "status_text", "view_text"]

_TOP_TOOLS = 3
_TOPIC = 30
_LIMIT = 30


def view_text(view: Sequence[CoreMessage]) -> str:
    """Return a view as text: a line for who speaks with what kind of message, then its text."""
    pieces = []
    for message in view:
        kind = "" if message.content_type == "text" else f" {message.content_type}"
        tool = f" {message.tool_name}" if message.tool_name else ""
        pieces.append(f"[{message.role}{kind}{tool}]\n{message.text or ''}")
    return "\n\n".join(pieces)


def status_text(
    view: Sequence[CoreMessage],
    state: CompressionState,
    config: Config | None = None,
    token_count: float | None = None,
    ports: Ports | None = None,
) -> str:
    """Return an overview of a view: usage, classes of content, top tools, active blocks."""
    config = Config() if config is None else config
    ports = Ports() if ports is None else ports
    sizes = sized(view, ports)
    total = sum(sizes.tokens) if token_count is None else token_count
    report = status(state, total, config)
    limit, folded = config.model_context_limit, short_count(int(report.tokens_compressed))
    classes = breakdown_of(view, sizes)
    shown = {
        "tool": classes.tool,
        "text": classes.text + classes.code + classes.system,
        "summaries": classes.summaries,
    }
    whole = sum(shown.values())
    lines = [
        f"context    {_percent(total, limit)} of {short_count(int(limit))} tokens ({short_count(int(total))})",
        f"blocks     {report.active_blocks} active of {report.total_blocks}, {folded} tokens folded over the session",
    ]
    lines += [
        f"{name:<10} {_percent(count, whole)} ({short_count(count)})"
        for name, count in shown.items()
    ]
    tools = _top_tools(view, sizes.tokens)
    if tools:
        lines.append("top tools  " + ", ".join(f"{n} {short_count(c)}" for n, c in tools))
    lines += [_block_line(block) for block in _by(state, "size")]
    lines.append(f"advisory   nothing reads {', '.join(report.advisory)}")
    return "\n".join(lines)


def recap(
    state: CompressionState,
    view: Sequence[CoreMessage] = (),
    *,
    scope: Literal["compressed", "ranges", "messages"] = "compressed",
    sort: Literal["size", "time", "age"] = "size",
    tool: str | None = None,
    limit: int = _LIMIT,
    ports: Ports | None = None,
) -> str:
    """List blocks, or what is not folded as ranges or single messages."""
    if scope == "compressed":
        return "\n".join(_block_line(block) for block in _by(state, sort)[:limit])
    ports = Ports() if ports is None else ports
    rows = _rows(state, view, tool, ports)
    if scope == "messages":
        rows.sort(key=lambda row: -row[2] if sort == "size" else row[0])
        return "\n".join(
            f"{ref} {short_count(tokens)} {label}" for _, ref, tokens, label in rows[:limit]
        )
    return "\n".join(_spans(rows)[:limit])


def _percent(part: float, whole: float) -> str:
    if whole <= 0 or part <= 0:
        return "0 %"
    return f"{max(1, round(100 * part / whole))} %"


def _top_tools(view: Sequence[CoreMessage], tokens: Sequence[int]) -> list[tuple[str, int]]:
    sums: dict[str, int] = {}
    for message, count in zip(view, tokens, strict=True):
        if message.content_type in ("tool-call", "tool-result"):
            name = message.tool_name or "tool"
            sums[name] = sums.get(name, 0) + count
    return sorted(sums.items(), key=lambda item: -item[1])[:_TOP_TOOLS]


def _by(state: CompressionState, sort: str) -> list[CompressionBlock]:
    active = [block for block in state.blocks if block.active]
    if sort == "size":
        active.sort(key=lambda block: -(block.compressed_tokens or 0))
    elif sort == "time":
        active.sort(key=lambda block: -block.created_at)
    else:
        active.sort(key=lambda block: -block.survived_count)
    return active


def _block_line(block: CompressionBlock) -> str:
    topic = block.topic or capped(block.summary.strip().split(". ")[0], _TOPIC)
    return (
        f"{block.block_id:<10} tier {block.tier}, {len(block.effective_message_ids)} messages, "
        f"{short_count(int(block.compressed_tokens or 0))} tokens before: {topic}"
    )


Row = tuple[int, str, int, str]


def _rows(
    state: CompressionState, view: Sequence[CoreMessage], tool: str | None, ports: Ports
) -> list[Row]:
    by_raw = state.message_refs.by_raw
    rows = []
    for message in view:
        ref = by_raw.get(message.id)
        if ref is None or ref == BLOCKED or (tool is not None and message.tool_name != tool):
            continue
        tokens = message_tokens(message, ports.count_tokens)
        label = message.tool_name or message.role
        rows.append((ref_number(ref), ref, tokens, label))
    return rows


def _spans(rows: Sequence[Row]) -> list[str]:
    """Join consecutive refs."""
    spans: list[list[Row]] = []
    for row in rows:
        if spans and row[0] - spans[-1][-1][0] == 1:
            spans[-1].append(row)
        else:
            spans.append([row])
    return [
        f"{span[0][1]}..{span[-1][1]}: {len(span)} messages, "
        f"{short_count(sum(row[2] for row in span))} tokens"
        for span in spans
    ]
