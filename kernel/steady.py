"""What an open session keeps between plain turns: the settled part and its dictionaries.

Laws: only what no later plain message can change is settled: everything before the last
assistant run; where anything unusual was in a turn nothing is kept. Dictionaries here
grow in place and are copied whenever a state leaves the session.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.model import (
    BLOCKED,
    COMPRESS_TOOL,
    PLACEHOLDER_ID,
    CoreMessage,
    is_synthetic,
    summary_id,
)
from kernel.protection import hides_refs, protector
from kernel.stages.base import Context, RenderTags, Turn
from kernel.stages.render_refs import render_refs
from kernel.state import CompressionState, MessageRefs, covered_ids, highest_ref, ref_name
from kernel.viewstats import ViewStats
from kernel.zone import live_tail

__all__ = ["Steady", "steady_after"]


class Steady:
    """The settled part of a view; `tail` is where the raw history is still open."""

    def __init__(self, plain: Sequence[CoreMessage], turn: Turn, context: Context) -> None:
        """Keep a finished turn; `plain` is its view before tags."""
        raw, state = context.raw, turn.state
        self.tail = live_tail(raw)
        self.effects = turn.effects
        self._ports = context.ports
        self._ids = {message.id for message in raw}
        self._watch = {held for block in state.blocks for held in block.effective_message_ids}
        self._watch |= {summary_id(block.block_id) for block in state.blocks}
        self._by_raw = dict(state.message_refs.by_raw)
        self._by_ref = dict(state.message_refs.by_ref)
        self._snapshot = dict(state.token_snapshot)
        self._number = highest_ref(state.message_refs)
        self._protects = protector(context.config, context.ports)
        self._hides = hides_refs(context.config, context.ports)
        open_ids = {raw[index].id for index in range(self.tail, len(raw))}
        first = len(plain)
        while first and plain[first - 1].id in open_ids:
            first -= 1
        self.shown = list(turn.messages[:first])
        seen = {message.id for message in plain[:first]} & covered_ids(state.blocks)
        self.stats = ViewStats(context.config, context.ports, self._protects, seen)
        self.stats.extend(plain[:first], self._by_raw)

    def admits(self, message: CoreMessage) -> bool:
        """Take note of an appended message; False where it is out of the ordinary."""
        raw = message.id
        if (
            not raw
            or raw in self._ids
            or raw in self._watch
            or message.tool_name == COMPRESS_TOOL
            or (message.role == "system" and is_synthetic(message))
        ):
            return False
        self._ids.add(raw)
        return True

    def name(self, fresh: Sequence[CoreMessage]) -> None:
        """Give refs, as the stage assign-refs does."""
        for message in fresh:
            if self._hides and self._protects(message.tool_name):
                self._by_raw[message.id] = BLOCKED
                continue
            self._number += 1
            while (ref := ref_name(self._number)) in self._by_ref:
                self._number += 1
            self._by_raw[message.id] = ref
            self._by_ref[ref] = message.id

    def render(
        self, plain: Sequence[CoreMessage], state: CompressionState, strategy: RenderTags
    ) -> Sequence[CoreMessage]:
        """Tag the tail against its own few frozen figures, not against all of them."""
        refs = [self._by_raw.get(message.id, "") for message in plain]
        known = {ref: self._snapshot[ref] for ref in refs if ref in self._snapshot}
        small = evolve(state, token_snapshot=known)
        shown, grown = render_refs(plain, small, self._ports, strategy)
        self._snapshot.update(grown.token_snapshot)
        return shown

    def advance(
        self,
        raw: Sequence[CoreMessage],
        plain: Sequence[CoreMessage],
        shown: Sequence[CoreMessage],
    ) -> None:
        """Move what can change no more from the tail into the settled part."""
        tail = live_tail(raw)
        if tail == self.tail:
            return
        done = {raw[index].id for index in range(self.tail, tail)}
        count = 0
        while count < len(plain) and plain[count].id in done:
            count += 1
        self.shown.extend(shown[:count])
        self.stats.extend(plain[:count], self._by_raw)
        self.tail = tail

    def emptied(self, state: CompressionState) -> CompressionState:
        """Return a state without what is kept here."""
        bare = MessageRefs({}, {}, state.message_refs.extra)
        return evolve(state, message_refs=bare, token_snapshot={})

    def filled(self, state: CompressionState, *, copy: bool = True) -> CompressionState:
        """Return a state with what is kept here; without `copy` it must not leave."""
        extra = state.message_refs.extra
        if not copy:
            refs = MessageRefs(self._by_raw, self._by_ref, extra)
            return evolve(state, message_refs=refs, token_snapshot=self._snapshot)
        refs = MessageRefs(dict(self._by_raw), dict(self._by_ref), extra)
        return evolve(state, message_refs=refs, token_snapshot=dict(self._snapshot))


def steady_after(plain: Sequence[CoreMessage], turn: Turn, context: Context) -> Steady | None:
    """Keep what the next plain turn can build on, if it can."""
    raw, settings = context.raw, context.config.message_filters
    tail = [raw[index] for index in range(live_tail(raw), len(raw))]
    covered = covered_ids(turn.state.blocks)
    ids = {message.id for message in raw}
    unusual = (
        turn.overflow is not None,
        any(effect.stage != "hide-compress-calls" for effect in turn.effects),
        any(message.role == "system" and is_synthetic(message) for message in raw),
        len(plain) == 1 and plain[0].id == PLACEHOLDER_ID,
        settings is not None and settings.enabled and bool(context.ports.filters),
        any(message.id in covered or message.tool_name == COMPRESS_TOOL for message in tail),
        len(ids) != len(raw) or "" in ids,
    )
    return None if any(unusual) else Steady(plain, turn, context)
