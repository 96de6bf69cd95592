"""Postings: which statements hold a token, and which tokens a statement holds."""

from collections.abc import Sequence
from typing import Final

__all__ = ["Postings"]


class Postings:
    """Tokens of each statement, and the statements of each token."""

    def __init__(self, tokens: Sequence[set[str]]) -> None:
        self.tokens = tokens
        self._places: dict[str, set[int]] = {}
        for at, own in enumerate(tokens):
            for token in own:
                self._places.setdefault(token, set()).add(at)

    def of(self, token: str) -> set[int]:
        """Return the statements that hold a token."""
        return self._places.get(token, _NOWHERE)

    def size(self, token: str) -> int:
        """Return how many hold it."""
        return len(self.of(token))


_NOWHERE: Final[set[int]] = set()
