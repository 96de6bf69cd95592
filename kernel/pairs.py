"""Calls and results, reasoning and its answer: what must stay together.

Laws: a result belongs to the nearest call before it that has its id and no result yet,
never to a call found by id over the whole history, because real logs use one id in
several turns. A call without a result at the live end is in flight. Messages without a
call id pair with nothing and are nobody's orphans.

A tool turn is a run of assistant messages with calls and, directly after it, the
results. `settle` keeps of any selection only whole pairs in such turns; reasoning that
lost the answer it led to is then dropped by `kernel.thoughts`.
"""

from collections.abc import Collection, Iterable, Sequence

from attrs import frozen

from kernel.model import CoreMessage

__all__ = ["Settled", "Span", "in_flight", "pair", "safe_anchor", "settle", "turn_of"]

_CALL, _RESULT, _REASONING = "tool-call", "tool-result", "reasoning"


@frozen
class Span:
    """Positions nothing may be put between: an index in (low, high] moves to `target`."""

    low: int
    high: int
    target: int


@frozen
class Settled:
    """The indices of a sound selection, and the spans no summary may split."""

    kept: list[int]
    spans: list[Span]


def pair(messages: Sequence[CoreMessage]) -> dict[int, int]:
    """Map the index of each answered call to its result's, and back."""
    partner: dict[int, int] = {}
    waiting: dict[str, list[int]] = {}
    for index, message in enumerate(messages):
        call_id = message.tool_call_id
        if not call_id:
            continue
        if message.content_type == _CALL:
            waiting.setdefault(call_id, []).append(index)
        elif message.content_type == _RESULT:
            calls = waiting.get(call_id)
            if calls:
                call = calls.pop()
                partner[call] = index
                partner[index] = call
    return partner


def in_flight(messages: Sequence[CoreMessage], partner: dict[int, int]) -> set[int]:
    """Return the indices of unanswered calls of the live end.

    The live end reaches back over results and one run of assistant messages.
    """
    index = len(messages) - 1
    while index >= 0 and messages[index].content_type == _RESULT:
        if not messages[index].tool_call_id:
            return set()
        index -= 1
    flying: set[int] = set()
    while index >= 0 and messages[index].role == "assistant":
        message = messages[index]
        if message.content_type == _CALL and message.tool_call_id and index not in partner:
            flying.add(index)
        index -= 1
    return flying


def turn_of(messages: Sequence[CoreMessage], index: int, partner: dict[int, int]) -> set[int]:
    """Return the whole assistant run a message stands in, with the results of its calls."""
    start = stop = index
    while start > 0 and messages[start - 1].role == "assistant":
        start -= 1
    while stop < len(messages) and messages[stop].role == "assistant":
        stop += 1
    members = set(range(start, stop))
    return members | {partner[member] for member in members if member in partner}


class _Turn:
    """The assistant run being read: where it starts, its open calls, its last result.

    `first`, `first_call`, `thought` and `spoken` are indices of its first member, its
    first call, its first reasoning and its last text or call; -1 stands for none.
    """

    __slots__ = (
        "answered",
        "closing",
        "first",
        "first_call",
        "last_result",
        "open",
        "spoken",
        "start",
        "thought",
    )

    def __init__(self) -> None:
        self.start = self.first = self.first_call = self.thought = self.spoken = -1
        self.last_result = -1
        self.open: set[int] = set()
        self.answered: list[int] = []
        self.closing = False

    def add(self, index: int, message: CoreMessage, place: int) -> None:
        """Take a member of the assistant run; `place` is its position in the selection."""
        if self.start < 0:
            self.start, self.first = place, index
        kind = message.content_type
        if kind == _REASONING:
            if self.thought < 0:
                self.thought = index
            return
        self.spoken = index
        if kind == _CALL and message.tool_call_id:
            self.open.add(index)
            if self.first_call < 0:
                self.first_call = index

    def answers(self, call: int) -> bool:
        """Take an answer to a call; False where the turn has no such open call."""
        if call not in self.open:
            return False
        self.open.discard(call)
        self.answered.append(call)
        return True

    def span(self) -> Span | None:
        """Return the positions this turn closes to anything else, all its calls answered."""
        low, high = (self.first_call, self.last_result) if self.answered else (-1, -1)
        if 0 <= self.thought < self.spoken:
            low = min(low, self.thought) if low >= 0 else self.thought
            high = max(high, self.spoken)
        return Span(low, high, self.first) if high > low >= 0 else None

    def without_lost(
        self, messages: Sequence[CoreMessage], group: Sequence[int], flying: Collection[int]
    ) -> "_Turn":
        """Return the turn as it is without the open calls that may not stay open."""
        kept = _Turn()
        for index in group:
            if index not in self.open or index in flying:
                kept.add(index, messages[index], 0)
        kept.answered = [*self.answered, *kept.open.intersection(flying)]
        # A call in flight closes everything behind it.
        kept.last_result = (
            len(messages) if len(kept.answered) > len(self.answered) else self.last_result
        )
        return kept


def settle(
    messages: Sequence[CoreMessage],
    kept: Iterable[int],
    partner: dict[int, int],
    flying: Collection[int] = (),
) -> Settled:
    """Drop from a selection each call or result that is not answered in its own turn.

    `kept` ascends; `flying` are calls that may stay open at the end. Reasoning is left to
    `thoughts.attached`.
    """
    dropped: set[int] = set()
    spans: list[Span | None] = []
    result: list[int] = []
    turn = _Turn()
    for index in kept:
        message = messages[index]
        if message.content_type == _RESULT:
            if not message.tool_call_id and turn.open:
                # It goes out as a text of its own, which no call may wait behind.
                spans.append(_closed(turn, messages, result, (), dropped))
                turn = _Turn()
            # Even a stray result ends the assistant's part of a turn.
            turn.closing = True
            if message.tool_call_id and not turn.answers(partner.get(index, -1)):
                continue
            turn.last_result = index
        else:
            if turn.closing or (message.role != "assistant" and turn.start >= 0):
                spans.append(_closed(turn, messages, result, (), dropped))
                turn = _Turn()
            if message.role == "assistant":
                turn.add(index, message, len(result))
        result.append(index)
    spans.append(_closed(turn, messages, result, flying, dropped))
    if dropped:
        result = [index for index in result if index not in dropped]
    return Settled(result, [span for span in spans if span is not None])


def _closed(
    turn: _Turn,
    messages: Sequence[CoreMessage],
    result: Sequence[int],
    allowed: Collection[int],
    dropped: set[int],
) -> Span | None:
    """End a turn: note the calls it lost, return the positions it closes."""
    if not turn.open:
        return turn.span()
    dropped.update(turn.open.difference(allowed))
    group = [i for i in result[turn.start :] if messages[i].content_type != _RESULT]
    return turn.without_lost(messages, group, allowed).span()


def safe_anchor(index: int, spans: Sequence[Span]) -> int:
    """Move an anchor that would split a pair, or reasoning from its answer, before the turn."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle].high < index:
            low = middle + 1
        else:
            high = middle
    if low < len(spans) and spans[low].low < index:
        return spans[low].target
    return index
