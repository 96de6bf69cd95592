"""The foldable ranges of a view that only grows, kept open between turns.

Law: for any sequence of `advance` calls the answer of `ranges` is what
`kernel.recommend` computes from the whole view. Messages before the recent zone are
taken in for good; the last user message, which the zone holds however far back it is,
is passed over, and what followed it is taken in again once it leaves the zone.
"""

from collections.abc import Callable, Sequence

from attrs import frozen

from kernel.model import BLOCKED, SUMMARY_HEADER, CoreMessage
from kernel.recommend import Folder, FoldRange, join

__all__ = ["GrowingRanges", "Piece"]


@frozen
class Piece:
    """A message of the view with its ref and tokens; `foldable` before zone and flight."""

    message: CoreMessage
    ref: str
    tokens: int
    foldable: bool


class _Fold:
    """Ranges ended and joined so far, and the open ones."""

    __slots__ = ("batch", "chars", "folder", "joined", "least", "pending", "taken")

    def __init__(self, least: float) -> None:
        self.least = least
        self.folder = Folder()
        self.joined: list[FoldRange] = []
        self.batch: list[FoldRange] = []
        self.chars = 0
        self.pending = 0
        self.taken = 0

    def copy(self) -> "_Fold":
        """Return an independent copy."""
        other = _Fold(self.least)
        other.folder = self.folder.copy()
        other.joined = self.joined.copy()
        other.batch = self.batch.copy()
        other.chars, other.pending, other.taken = self.chars, self.pending, self.taken
        return other

    def add(self, piece: Piece) -> None:
        """Take a foldable message in."""
        self.folder.add(piece.message, piece.ref, piece.tokens)
        self._drain()

    def finish(self) -> None:
        """End what is open."""
        self.folder.close()
        self._drain()
        if self.batch:
            self._emit()

    def _drain(self) -> None:
        for item in self.folder.ended:
            self.batch.append(item)
            self.chars += item.chars
            if self.chars >= self.least:
                self._emit()
        self.folder.ended.clear()

    def _emit(self) -> None:
        whole = join(self.batch)
        self.joined.append(whole)
        if whole.chars >= self.least:
            self.pending += whole.tokens
        self.batch, self.chars = [], 0


class GrowingRanges:
    """The joined ranges of a growing view."""

    def __init__(self, least: float) -> None:
        """Start on an empty view; `least` is `compress.minCompressRange`."""
        self._least = least
        self._fold = _Fold(least)
        self._before_user: _Fold | None = None
        self._user = ""

    def advance(self, pieces: Sequence[Piece], stop: int, zone: set[str]) -> None:
        """Take in the pieces before `stop` for good; only the last user may be in the zone."""
        if self._user and self._user not in zone:
            # The user passed over has left the zone: go back and take it in.
            self._fold, self._before_user, self._user = self._before_user or self._fold, None, ""
        fold = self._fold
        for index in range(fold.taken, stop):
            piece = pieces[index]
            if piece.foldable:
                if piece.ref in zone:
                    fold.taken = index
                    self._before_user, self._user = fold.copy(), piece.ref
                else:
                    fold.add(piece)
            fold.taken = index + 1

    @property
    def taken(self) -> int:
        """Return how many pieces have been taken in."""
        return self._fold.taken

    def ranges(
        self, pieces: Sequence[Piece], zone: set[str], flying: Callable[[int], bool]
    ) -> tuple[list[FoldRange], int]:
        """Return the joined ranges of the whole view and the tokens a fold could take."""
        fold = self._fold.copy()
        for index in range(fold.taken, len(pieces)):
            piece = pieces[index]
            if piece.foldable and piece.ref not in zone and not flying(index):
                fold.add(piece)
        fold.finish()
        return fold.joined, fold.pending


def foldable(message: CoreMessage, ref: str | None) -> bool:
    """Tell whether a message may be offered at all, zone and protection aside."""
    if ref is None or ref == BLOCKED:
        return False
    return not (message.text or "").startswith(SUMMARY_HEADER)
