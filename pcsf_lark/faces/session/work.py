"""A session log and its state, open: views, folds and searches over both.

Law: nothing here writes; a changed state is handed back to be saved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from kernel import (
    STAGES,
    Applied,
    CompressionState,
    CompressRange,
    Config,
    Plan,
    TurnResult,
    apply_compression,
    count_tokens,
    dropped,
    plan,
    process_turn,
    to_json,
)
from kernel.ports import message_tokens
from kernel.searching import SearchOptions, SearchResult, documents_of, search_blocks
from pcsf_lark.faces.aili.guard import require_plain
from pcsf_lark.faces.session.log import read_log
from pcsf_lark.faces.session.state import Stored, load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kernel import CoreMessage
    from kernel.sessions import Log

__all__ = ["Opened", "opened", "settled"]

#: What names messages and settles blocks, and changes nothing else.
_SETTLING = tuple(stage for stage in STAGES if stage.name in ("assign-refs", "sync-blocks"))


@frozen
class Opened:
    """A log, the state that was read, and the state with every message named."""

    path: str
    log: Log
    stored: Stored
    state: CompressionState
    config: Config
    run: int = 0

    def turn(self, tokens: int | None, *, tags: bool = True) -> TurnResult:
        """A turn over the log, as a host would take it; ``tokens`` are counted if None."""
        messages = self.log.messages
        if tokens is None:
            quiet = dropped("nudge-inject")
            first = process_turn(
                messages, self.state, self.config, stages=quiet, render_tags="none"
            )
            tokens = sum(message_tokens(item, count_tokens) for item in first.messages)
        shown = "all" if tags else "none"
        return process_turn(messages, self.state, self.config, tokens, render_tags=shown)  # type: ignore[arg-type]

    def plan(self, tokens: int | None) -> Plan:
        """What to fold now."""
        return plan(self.log.messages, self.state, self.config, tokens)

    def fold(self, item: CompressRange, now: int) -> Applied:
        """Fold a range."""
        return apply_compression([item], self.log.messages, self.state, self.config, now=now)

    def search(self, query: str, options: SearchOptions) -> list[SearchResult]:
        """Find messages, hidden or not, and blocks."""
        documents = documents_of(self.log.messages, self.state)
        return search_blocks(documents, query, self.state, options)

    def holders(self) -> dict[str, str]:
        """The block that hides each ref."""
        by_raw = self.state.message_refs.by_raw
        return {
            by_raw[raw]: block.block_id
            for block in self.state.blocks
            if block.active
            for raw in block.effective_message_ids
            if raw in by_raw
        }

    def about(self) -> dict[str, Any]:
        """What the log is, as JSON."""
        log = self.log
        return {
            "format": log.format,
            "session": log.session_id,
            "leaf": log.leaf,
            "model": log.model,
            "messages": len(log.messages),
            "diagnostics": to_json(log.diagnostics),
        }


def opened(
    path: str,
    config: Config | None = None,
    *,
    verb: str = "view",
    fmt: str | None = None,
    leaf: str | None = None,
    run: int = 0,
) -> Opened:
    """Read a log and the state beside it for a verb; raises Trouble, Refused."""
    log = read_log(path, fmt=fmt, leaf=leaf, run=run)
    if log.format == "pi":
        require_plain(path, verb)
    stored = load(path, log, run)
    config = Config() if config is None else config
    state = settled(log.messages, stored.state, config)
    return Opened(path, log, stored, state, config, run)


def settled(
    messages: Sequence[CoreMessage], state: CompressionState, config: Config
) -> CompressionState:
    """A state in which every message has its name; no block is older for it."""
    turn = process_turn(messages, state, config, stages=_SETTLING, render_tags="none")
    # Ages are counted by turns of a host; looking at a log is none.
    ages = {block.block_id: (block.survived_count, block.generation) for block in state.blocks}
    blocks = [
        evolve(block, survived_count=ages[block.block_id][0], generation=ages[block.block_id][1])
        for block in turn.state.blocks
    ]
    return evolve(turn.state, blocks=blocks)
