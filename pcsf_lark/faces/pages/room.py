"""The room that a page has for content whose size nobody bounds: a file that is no capsule.

Laws of this module: sizes are bytes of HTML, counted as they will be written, so that a
byte that is shown by its name costs what the name does. What does not fit is cut, and
says by how much.
"""

from __future__ import annotations

import html

from pcsf_lark.faces.pages.visible import visible
from pcsf_lark.faces.pages.wording import cut

__all__ = ["Room"]

#: The bytes that a character may cost before its text is cut shorter than was asked for:
#: scripts are written with up to four, what is shown by its name with up to fourteen.
_EACH = 4


class Room:
    """So many bytes, fewer with each text and each part that is taken; None: no bound."""

    def __init__(self, size: int | None) -> None:
        self._left = size

    @property
    def left(self) -> int:
        """The bytes that are left; 0 too where there is no bound."""
        return self._left or 0

    def has(self, size: int) -> bool:
        """Take the bytes of a part's own markup, if they are there."""
        if self._left is None:
            return True
        if size > self._left:
            return False
        self._left -= size
        return True

    def text(self, text: str, most: int) -> str:
        """A text of at most ``most`` characters, cut further where they cost too much."""
        shown = cut(text, most)
        if self._left is None:
            return shown
        ceiling = min(self._left, _EACH * most)
        while most and (cost := self._cost(shown)) > ceiling:
            most = min(most - 1, most * ceiling // cost)
            shown = cut(text, most)
        self._left = max(self._left - self._cost(shown), 0)
        return shown

    def whole(self, *texts: str) -> bool:
        """Take texts that belong together, if they are there uncut and none costs too much."""
        size = sum(map(len, texts))
        cost = sum(map(self._cost, texts))
        return self._left is None or (cost <= _EACH * max(size, 36) and self.has(cost))

    @staticmethod
    def _cost(text: str) -> int:
        return len(html.escape(visible(text)).encode("utf-8", "backslashreplace"))
