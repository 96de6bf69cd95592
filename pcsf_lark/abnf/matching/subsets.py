"""A right-linear grammar's yes or no: sets of states, moved over the text character by character.

Laws: nothing follows a call there, so a called rule stands in for its caller
and no stack is kept. Sets and moves are found when they are first needed, and
then remembered; finding them is counted, and ends at a limit with an error.
"""

from collections.abc import Iterable

from pcsf_lark.abnf.matching.states import EffortLimitError, States

__all__ = ["Subsets", "WorkLimitError"]

# How many moves are remembered.
_MAX_MOVES = 50_000


class WorkLimitError(Exception):
    """A text took too much work, at this offset."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Subsets:
    """The sets of states of a right-linear grammar, from its start rule."""

    def __init__(self, states: States, start: str) -> None:
        self._states = states
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._moves: dict[tuple[int, str], int] = {}
        self._first = self._closed([states.body(start)])

    def accepts(self, text: str, limit: int) -> bool:
        """Tell whether the start rule matches the whole text. Raises WorkLimitError."""
        now = self._number(self._first)
        for at, char in enumerate(text):
            then = self._moves.get((now, char))
            if then is None:
                before = self._states.effort
                mine = self._sets[now]
                self._states.bound = before + limit
                try:
                    members = self._closed(
                        to for number in mine for to in self._states.after(number, char)
                    )
                except EffortLimitError:
                    raise WorkLimitError(at) from None
                limit -= len(mine) + len(members) + self._states.effort - before
                if limit < 0:
                    raise WorkLimitError(at)
                if len(self._moves) >= _MAX_MOVES:
                    self._forget()
                    now = self._number(mine)
                then = self._moves[now, char] = self._number(members)
            now = then
            if not self._sets[now]:
                return False
        return any(self._states.state(number).done for number in self._sets[now])

    def _number(self, members: frozenset[int]) -> int:
        number = self._numbers.setdefault(members, len(self._sets))
        if number == len(self._sets):
            self._sets.append(members)
        return number

    def _closed(self, numbers: Iterable[int]) -> frozenset[int]:
        """Return these states and the bodies of the rules that may begin there."""
        found = dict.fromkeys(numbers)
        waiting = list(found)
        for number in waiting:
            for callee, _ in self._states.state(number).calls:
                body = self._states.body(callee)
                if body not in found:
                    found[body] = None
                    waiting.append(body)
        return frozenset(found)

    def _forget(self) -> None:
        self._numbers.clear()
        self._sets.clear()
        self._moves.clear()
