"""A session held open: append messages, take views, at the price of what is new.

Law: a view equals what `process_turn` gives for the same history and state, message for
message, decision for decision. A turn after plain appended messages costs their number
and the recent zone; folds, releases, truncation, filters, merges, compress calls and
anything unusual rebuild.
"""

from collections.abc import Sequence

from attrs import evolve, frozen

from kernel.compress import Applied, Rejections, apply_compression
from kernel.config import Config
from kernel.model import (
    BLOCKED,
    COMPRESS_TOOL,
    PLACEHOLDER_ID,
    CompressRange,
    CoreMessage,
    is_synthetic,
    summary_id,
)
from kernel.nudge import NudgeDecision, stamped
from kernel.pipeline import STAGES, Context, Effect, Overflow, RenderTags, Turn, placed, run
from kernel.ports import Ports
from kernel.protection import hides_refs, protector
from kernel.query import release
from kernel.stages.ccr_store import remember
from kernel.stages.merge_blocks import merge_blocks
from kernel.stages.prune import sound
from kernel.stages.render_refs import render_refs
from kernel.stages.sync_blocks import aged
from kernel.state import (
    CompressionState,
    MessageContentStore,
    MessageRefs,
    covered_ids,
    highest_ref,
    ref_name,
)
from kernel.viewstats import ViewStats
from kernel.zone import live_tail

__all__ = ["Session", "View"]

_CUT = next(i for i, stage in enumerate(STAGES) if stage.name == "nudge-inject")


@frozen
class View:
    """What a turn shows; `Session.state` and `Session.content_store` hold the rest."""

    messages: Sequence[CoreMessage]
    nudge: NudgeDecision
    effects: tuple[Effect, ...] = ()
    diagnostics: tuple[str, ...] = ()
    overflow: Overflow | None = None


class Session:
    """A growing history with its state. Not for use from several threads at once."""

    def __init__(
        self,
        messages: Sequence[CoreMessage] = (),
        state: CompressionState | None = None,
        config: Config | None = None,
        *,
        ports: Ports | None = None,
        render_tags: RenderTags = "all",
        content_store: MessageContentStore | None = None,
    ) -> None:
        """Open a session on a history and a state, both empty by default."""
        self._raw = list(messages)
        self._state = CompressionState() if state is None else state
        self._config = Config() if config is None else config
        self._ports = Ports() if ports is None else ports
        self._tags: RenderTags = render_tags
        self.content_store = MessageContentStore() if content_store is None else content_store
        self._rejections: Rejections = ()
        self._fresh = len(self._raw)
        self._steady = False

    @property
    def messages(self) -> Sequence[CoreMessage]:
        """Return the raw history; do not change it."""
        return self._raw

    @property
    def state(self) -> CompressionState:
        """Return the state as of the last view, as a value of its own."""
        if not self._steady:
            return self._state
        refs = MessageRefs(dict(self._by_raw), dict(self._by_ref), self._state.message_refs.extra)
        return evolve(self._state, message_refs=refs, token_snapshot=dict(self._snapshot))

    def append(self, *messages: CoreMessage) -> None:
        """Add messages to the history."""
        self._raw.extend(messages)
        self._fresh += len(messages)

    def apply(self, ranges: Sequence[CompressRange], *, now: float = 0) -> Applied:
        """Fold ranges of the history as of the last view; the next view shows the summaries."""
        applied = apply_compression(
            ranges,
            self._raw,
            self.state,
            self._config,
            now=now,
            ports=self._ports,
            rejections=self._rejections,
        )
        self._rejections = applied.rejections
        self._reset(applied.state)
        return applied

    def release(self, block_id: str, *, cascade: bool = False) -> None:
        """Open a block for good."""
        self._reset(release(block_id, self.state, cascade=cascade))

    def view(self, token_count: float = 0) -> View:
        """Run one turn."""
        if self._steady and self._is_plain(token_count):
            view = self._grown(token_count)
            if view is not None:
                self._fresh = 0
                return view
        self._fresh = 0
        return self._rebuilt(token_count)

    def _reset(self, state: CompressionState) -> None:
        self._state = state
        self._steady = False

    def _context(self, token_count: float) -> Context:
        return Context(self._raw, self._config, token_count, self._ports, self._tags)

    # -- the whole way ------------------------------------------------------------

    def _rebuilt(self, token_count: float) -> View:
        context = self._context(token_count)
        turn = Turn(self._raw, self.state, self.content_store)
        # The history may grow before the next view: no result may hold the list itself.
        turn = run(turn, context, STAGES[:_CUT])
        plain = turn.messages
        turn = run(turn, context, STAGES[_CUT:])
        if turn.messages is self._raw:
            turn = evolve(turn, messages=list(self._raw))
        self._state, self.content_store = turn.state, turn.store
        effects = placed(turn)
        self._settle(plain, turn, effects)
        if turn.nudge is None:
            raise AssertionError("the nudge stage decides in every turn")
        return View(turn.messages, turn.nudge, effects, turn.diagnostics, turn.overflow)

    def _settle(
        self, plain: Sequence[CoreMessage], turn: Turn, effects: tuple[Effect, ...]
    ) -> None:
        """Keep what the next plain turn can build on, if it can."""
        state = self._state
        tail = live_tail(self._raw)
        tail_ids = {message.id for message in self._raw[tail:]}
        covered = covered_ids(state.blocks)
        cut = any(effect.stage != "hide-compress-calls" for effect in effects)
        odd = any(message.role == "system" and is_synthetic(message) for message in self._raw)
        odd = odd or (len(plain) == 1 and plain[0].id == PLACEHOLDER_ID)
        self._steady = False
        self._tail = tail
        settings = self._config.message_filters
        filtered = settings is not None and settings.enabled and bool(self._ports.filters)
        if cut or odd or filtered or turn.overflow is not None or tail_ids & covered:
            return
        if any(message.tool_name == COMPRESS_TOOL for message in self._raw[tail:]):
            return
        ids = {message.id for message in self._raw}
        if len(ids) != len(self._raw) or "" in ids:
            return
        self._ids = ids
        self._watch = {raw for block in state.blocks for raw in block.effective_message_ids}
        self._watch |= {summary_id(block.block_id) for block in state.blocks}
        refs = state.message_refs
        self._by_raw, self._by_ref = dict(refs.by_raw), dict(refs.by_ref)
        self._snapshot = dict(state.token_snapshot)
        self._number = highest_ref(refs)
        self._effects = effects
        self._protects = protector(self._config, self._ports)
        self._hides = hides_refs(self._config, self._ports)
        first = len(plain)
        while first and plain[first - 1].id in tail_ids:
            first -= 1
        self._shown = list(turn.messages[:first])
        seen = {message.id for message in plain[:first]} & covered
        self._stats = ViewStats(self._config, self._ports, self._protects, seen)
        self._stats.extend(plain[:first], self._by_raw)
        self._steady = True

    # -- the short way ------------------------------------------------------------

    def _is_plain(self, token_count: float) -> bool:
        """Tell whether only ordinary messages were appended and nothing must be cut."""
        limit = self._config.model_context_limit
        if limit > 0 and token_count / limit >= self._config.truncate.threshold:
            return False
        names = self._ids
        for message in self._raw[len(self._raw) - self._fresh :]:
            raw = message.id
            if (
                not raw
                or raw in names
                or raw in self._watch
                or message.tool_name == COMPRESS_TOOL
                or (message.role == "system" and is_synthetic(message))
            ):
                return False
            names.add(raw)
        return True

    def _grown(self, token_count: float) -> View | None:
        threshold = self._config.promotion_threshold
        blocks = tuple(aged(block, threshold) for block in self._state.blocks)
        state = evolve(self._state, blocks=blocks)
        if merge_blocks(state, self._config.merge)[1]:
            return None
        self._name(self._raw[len(self._raw) - self._fresh :])
        refs = MessageRefs(self._by_raw, self._by_ref, state.message_refs.extra)
        state = evolve(state, message_refs=refs, token_snapshot=self._snapshot)
        tail = self._raw[self._tail :]
        plain = list(sound(tail))
        if plain and is_synthetic(plain[0]):
            if not self._shown:
                return None
            plain = []
        staying = {message.id for message in plain}
        removed = [message for message in tail if message.id not in staying]
        if removed:
            self.content_store = remember(self.content_store, removed, state)
        decision = self._stats.decide(plain, state, token_count)
        if decision is None:
            return None
        nudge = stamped(state.nudge, decision, self._config, token_count)
        shown: Sequence[CoreMessage] = plain
        if self._tags != "none":
            shown = self._render(plain, state)
        bare = MessageRefs({}, {}, refs.extra)
        self._state = evolve(state, nudge=nudge, token_snapshot={}, message_refs=bare)
        view = [*self._shown, *shown]
        self._advance(plain, shown)
        return View(view, decision, self._effects)

    def _render(
        self, plain: Sequence[CoreMessage], state: CompressionState
    ) -> Sequence[CoreMessage]:
        """Tag the tail against its own few frozen figures, not against all of them."""
        refs = [self._by_raw.get(message.id, "") for message in plain]
        known = {ref: self._snapshot[ref] for ref in refs if ref in self._snapshot}
        shown, grown = render_refs(
            plain, evolve(state, token_snapshot=known), self._ports, self._tags
        )
        self._snapshot.update(grown.token_snapshot)
        return shown

    def _name(self, fresh: Sequence[CoreMessage]) -> None:
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

    def _advance(self, plain: Sequence[CoreMessage], shown: Sequence[CoreMessage]) -> None:
        """Move what can change no more from the tail into the settled part."""
        tail = live_tail(self._raw)
        if tail == self._tail:
            return
        done = {message.id for message in self._raw[self._tail : tail]}
        count = 0
        while count < len(plain) and plain[count].id in done:
            count += 1
        self._shown.extend(shown[:count])
        self._stats.extend(plain[:count], self._by_raw)
        self._tail = tail
