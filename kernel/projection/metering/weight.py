"""The weight of a text to be sent: what bounds on tokens are computed of.

Laws: weights add up, and the weight of a whole is the sum of its parts; bytes are those
of UTF-8; a long run of one character is told apart, since a tokenizer may make one token
of it.
"""

from collections.abc import Iterable
from typing import Final

from attrs import frozen

__all__ = ["NO_WEIGHT", "Weight", "total", "weigh"]

_RUN: Final = 16
_RUNS: Final = tuple(character * _RUN for character in " \t\n-=_*#.")


@frozen
class Weight:
    """`narrow` and `wide` bytes: ASCII and other characters; `idle` of the narrow in runs.

    `messages` and `parts` are host messages, and calls and results; `thought` bytes of
    reasoning, which a provider may drop.
    """

    narrow: int = 0
    wide: int = 0
    idle: int = 0
    messages: int = 0
    parts: int = 0
    thought: int = 0

    @property
    def size(self) -> int:
        """Return the bytes of text."""
        return self.narrow + self.wide


NO_WEIGHT: Final = Weight()


def weigh(
    text: str, messages: int = 0, parts: int = 0, thought: int = 0, joints: int = 0
) -> Weight:
    """Return the weight of a text; of its line ends `joints` are not counted."""
    if text.isascii():
        narrow, wide = len(text), 0
    else:
        narrow = len(text.encode("ascii", "ignore"))
        wide = len(text.encode("utf-8", "surrogatepass")) - narrow
    idle = 0
    if narrow >= _RUN:
        for run in _RUNS:
            if run in text:
                idle += _RUN * text.count(run)
    return Weight(max(0, narrow - max(0, joints)), wide, idle, messages, parts, thought)


def total(weights: Iterable[Weight]) -> Weight:
    """Return the sum of weights."""
    narrow = wide = idle = messages = parts = thought = 0
    for one in weights:
        narrow += one.narrow
        wide += one.wide
        idle += one.idle
        messages += one.messages
        parts += one.parts
        thought += one.thought
    return Weight(narrow, wide, idle, messages, parts, thought)
