"""The figures a nudge weighs, of a view that only grows.

Law: `decide` answers as `kernel.nudge.decide_nudge` does for the whole view; what it
needs of the settled part was summed when that part was settled.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from kernel.breakdown import ContextBreakdown, class_of
from kernel.config import Config
from kernel.growing import GrowingRanges, Piece, foldable
from kernel.model import CoreMessage
from kernel.nudge import Gathered, NudgeDecision, decide
from kernel.ports import Ports, message_tokens
from kernel.protection import protected_indices
from kernel.recommend import protected_ranges
from kernel.state import CompressionState
from kernel.zone import flying_turn, recent_zone

__all__ = ["ViewStats"]

T = TypeVar("T")


class ViewStats:
    """Sums over the settled part of a view, and its ranges kept open."""

    def __init__(
        self,
        config: Config,
        ports: Ports,
        protects: Callable[[str | None], bool],
        covered: Collection[str],
    ) -> None:
        """Start on an empty view; `covered` are ids that show although a block covers them."""
        self._config, self._ports, self._protects = config, ports, protects
        self._covered = covered
        self._ranges = GrowingRanges(config.compress.min_compress_range)
        self._settled: list[CoreMessage] = []
        self._pieces: list[Piece] = []
        self._guarded: list[tuple[CoreMessage, str, int]] = []
        self._classes: dict[str, int] = {}
        self._pinned: int | None = None

    def extend(self, messages: Sequence[CoreMessage], by_raw: Mapping[str, str]) -> None:
        """Settle messages: they will stay in the view as they are."""
        self._settled.extend(messages)
        pieces, guarded = self._read(messages, by_raw)
        self._pieces.extend(pieces)
        self._guarded.extend(guarded)
        for message, piece in zip(messages, pieces, strict=True):
            name = class_of(message)
            self._classes[name] = self._classes.get(name, 0) + piece.tokens
            if self._pinned is None and message.role == "user":
                self._pinned = piece.tokens

    def _read(
        self, messages: Sequence[CoreMessage], by_raw: Mapping[str, str]
    ) -> tuple[list[Piece], list[tuple[CoreMessage, str, int]]]:
        protected = protected_indices(messages, self._protects)
        pieces: list[Piece] = []
        guarded: list[tuple[CoreMessage, str, int]] = []
        for index, message in enumerate(messages):
            ref = by_raw.get(message.id)
            tokens = message_tokens(message, self._ports.count_tokens)
            may = foldable(message, ref)
            if may and ref is not None and index in protected:
                guarded.append((message, ref, tokens))
                may = False
            elif message.id in self._covered:
                may = False
            pieces.append(Piece(message, ref or "", tokens, may))
        return pieces, guarded

    def decide(
        self,
        tail: Sequence[CoreMessage],
        state: CompressionState,
        token_count: float,
    ) -> NudgeDecision | None:
        """Decide for the settled part followed by `tail`; None asks for a rebuild."""
        settled = len(self._settled)
        zone, start = self._window(tail, state)
        more, guarded = self._read(tail, state.message_refs.by_raw)
        flying = flying_turn(_Joined(self._settled, tail))
        start = min(start, settled, *flying)
        if start < self._ranges.taken:
            return None
        self._ranges.advance(self._pieces, start, zone)
        pieces = _Joined(self._pieces, more)
        joined, pending = self._ranges.ranges(pieces, zone, flying.__contains__)
        classes = dict(self._classes)
        pinned = self._pinned
        for message, piece in zip(tail, more, strict=True):
            name = class_of(message)
            classes[name] = classes.get(name, 0) + piece.tokens
            if pinned is None and message.role == "user":
                pinned = piece.tokens
        return decide(
            state,
            self._config,
            token_count,
            self._ports,
            Gathered(
                joined,
                protected_ranges([*self._guarded, *guarded]),
                pending,
                ContextBreakdown(**classes),
                pinned or 0,
            ),
        )

    def _window(self, tail: Sequence[CoreMessage], state: CompressionState) -> tuple[set[str], int]:
        """Return the recent zone and where it starts, its last user message aside."""
        view = _Joined(self._settled, tail)
        zone = recent_zone(view, state, self._config, self._ports, self._covered)
        by_raw = state.message_refs.by_raw
        missing = len(zone)
        start = len(view)
        # The last user message counts aside only where the zone always holds it.
        users = 0 if self._config.preserve_recent_messages > 0 else 1
        for index in range(len(view) - 1, -1, -1):
            if missing <= 0:
                break
            message = view[index]
            if by_raw.get(message.id) in zone:
                missing -= 1
                if message.role == "user" and missing == 0 and users == 0:
                    break
                users += message.role == "user"
                start = index
        return zone, start


class _Joined(Sequence[T]):
    """Two sequences as one, without copying."""

    def __init__(self, first: Sequence[T], second: Sequence[T]) -> None:
        self._first, self._second = first, second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)

    def __getitem__(self, index: int) -> T:  # type: ignore[override]  # no slices are taken
        size = len(self._first)
        index = index if index >= 0 else index + len(self)
        return self._first[index] if index < size else self._second[index - size]
