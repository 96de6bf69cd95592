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
from kernel.model import CompressRange, CoreMessage, is_synthetic
from kernel.nudge import NudgeDecision, stamped
from kernel.pipeline import STAGES, Context, Effect, Overflow, RenderTags, Turn, placed, run
from kernel.ports import Ports
from kernel.query import release
from kernel.stages.ccr_store import remember
from kernel.stages.merge_blocks import merge_blocks
from kernel.stages.prune import sound
from kernel.stages.sync_blocks import aged
from kernel.state import CompressionState, MessageContentStore
from kernel.steady import Steady, steady_after

__all__ = ["Session", "View"]

_CUT = next(i for i, stage in enumerate(STAGES) if stage.name == "nudge-inject")


@frozen
class View:
    """What a turn shows; `Session.state` and `Session.content_store` hold the rest.

    Attributes:
        messages: What to send.
        nudge: Whether to remind.
        effects: What changed in earlier bytes.
        diagnostics: What was mended in the state.
        overflow: By how much it exceeds the window, None where it fits.
    """

    messages: Sequence[CoreMessage]
    nudge: NudgeDecision
    effects: tuple[Effect, ...] = ()
    diagnostics: tuple[str, ...] = ()
    overflow: Overflow | None = None


class Session:
    """A growing history with its state. Not for use from several threads at once.

    Attributes:
        content_store: What folds took out of view.
    """

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
        self.content_store: MessageContentStore = (
            MessageContentStore() if content_store is None else content_store
        )
        self._rejections: Rejections = ()
        self._fresh = len(self._raw)
        self._steady: Steady | None = None

    @property
    def messages(self) -> Sequence[CoreMessage]:
        """Return the raw history; do not change it."""
        return self._raw

    @property
    def state(self) -> CompressionState:
        """Return the state as of the last view, as a value of its own."""
        return self._state if self._steady is None else self._steady.filled(self._state)

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
        steady = self._steady
        if steady is not None and self._is_plain(steady, token_count):
            view = self._grown(steady, token_count)
            if view is not None:
                self._fresh = 0
                return view
        self._fresh = 0
        return self._rebuilt(token_count)

    def _reset(self, state: CompressionState) -> None:
        self._state = state
        self._steady = None

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
        self._steady = steady_after(plain, evolve(turn, effects=effects), context)
        if self._steady is not None:
            self._state = self._steady.emptied(turn.state)
        if turn.nudge is None:
            raise AssertionError("the nudge stage decides in every turn")
        return View(turn.messages, turn.nudge, effects, turn.diagnostics, turn.overflow)

    # -- the short way ------------------------------------------------------------

    def _is_plain(self, steady: Steady, token_count: float) -> bool:
        """Tell whether only ordinary messages were appended and nothing must be cut."""
        limit = self._config.model_context_limit
        if limit > 0 and token_count / limit >= self._config.truncate.threshold:
            return False
        return all(map(steady.admits, self._raw[len(self._raw) - self._fresh :]))

    def _grown(self, steady: Steady, token_count: float) -> View | None:
        """Run a turn over what is new; None where the whole way must be gone."""
        threshold = self._config.promotion_threshold
        blocks = tuple(aged(block, threshold) for block in self._state.blocks)
        state = evolve(self._state, blocks=blocks)
        if merge_blocks(state, self._config.merge)[1]:
            return None
        steady.name(self._raw[len(self._raw) - self._fresh :])
        state = steady.filled(state, copy=False)
        tail = self._raw[steady.tail :]
        plain = list(sound(tail))
        if plain and is_synthetic(plain[0]):
            if not steady.shown:
                return None
            plain = []
        staying = {message.id for message in plain}
        removed = [message for message in tail if message.id not in staying]
        if removed:
            self.content_store = remember(self.content_store, removed, state)
        decision = steady.stats.decide(plain, state, token_count)
        if decision is None:
            return None
        nudge = stamped(state.nudge, decision, self._config, token_count)
        shown = plain if self._tags == "none" else steady.render(plain, state, self._tags)
        self._state = evolve(self._state, blocks=blocks, nudge=nudge)
        view = [*steady.shown, *shown]
        steady.advance(self._raw, plain, shown)
        return View(view, decision, steady.effects)
