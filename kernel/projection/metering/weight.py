"""The weight of a text to be sent: what bounds on tokens are computed of.

Laws: weights add up, and the weight of a whole is the sum of its parts; bytes are those
of UTF-8; a run of one character, from four on and whichever, is told apart, since a
tokenizer may make one token of it; weighing is linear and fast.
"""

import re
from collections.abc import Iterable
from typing import Final

from attrs import frozen

__all__ = ["NO_WEIGHT", "Weight", "total", "weigh"]

#: Characters of one kind in a row that count as a run.
_RUN: Final = 4
_RUNS: Final = re.compile(r"(.)\1{3,}", re.DOTALL)
#: Where a text is laid over itself one character further, a run shows as zeros.
_ZEROS: Final = re.compile(rb"\0{3,}")
_WIDE_ZEROS: Final = bytes(4 * (_RUN - 1))
_LAST_NARROW: Final = "\x7f"


@frozen
class Weight:
    """`narrow` and `wide` bytes: ASCII and other characters; `idle`, `idle_wide` of them in runs.

    `messages` and `parts` are host messages, and calls and results; `thought` bytes of
    reasoning, which a provider may drop.
    """

    narrow: int = 0
    wide: int = 0
    idle: int = 0
    messages: int = 0
    parts: int = 0
    thought: int = 0
    idle_wide: int = 0

    @property
    def size(self) -> int:
        """Return the bytes of text."""
        return self.narrow + self.wide


NO_WEIGHT: Final = Weight()


def weigh(
    text: str, messages: int = 0, parts: int = 0, thought: int = 0, joints: int = 0
) -> Weight:
    """Return the weight of a text; of its line ends `joints` are not counted."""
    idle_wide = 0
    if text.isascii():
        data = text.encode()
        narrow, wide, idle = len(data), 0, _idle(data)
    else:
        narrow = len(text.encode("ascii", "ignore"))
        wide = len(text.encode("utf-8", "surrogatepass")) - narrow
        idle, idle_wide = _idle_of_both(text)
    joined = max(0, narrow - max(0, joints))
    return Weight(joined, wide, idle, messages, parts, thought, idle_wide)


def _idle(data: bytes) -> int:
    """Return the bytes of ASCII that stand in runs."""
    size = len(data)
    if size < _RUN:
        return 0
    number = int.from_bytes(data, "little")
    changes = (number ^ (number >> 8)).to_bytes(size, "little")
    # The first of a run differs from what is before it.
    return min(size, sum(len(run) + 1 for run in _ZEROS.findall(changes)))


def _idle_of_both(text: str) -> tuple[int, int]:
    """Return the bytes in runs of ASCII, and of other characters."""
    data = text.encode("utf-32-le", "surrogatepass")
    number = int.from_bytes(data, "little")
    # Zeros of small characters may lie beside them: without so many there is no run.
    if _WIDE_ZEROS not in (number ^ (number >> 32)).to_bytes(len(data), "little"):
        return 0, 0
    idle = idle_wide = 0
    for run in _RUNS.finditer(text):
        size = run.end() - run.start()
        if run[1] <= _LAST_NARROW:
            idle += size
        else:
            idle_wide += size * len(run[1].encode("utf-8", "surrogatepass"))
    return idle, idle_wide


def total(weights: Iterable[Weight]) -> Weight:
    """Return the sum of weights."""
    narrow = wide = idle = messages = parts = thought = idle_wide = 0
    for one in weights:
        narrow += one.narrow
        wide += one.wide
        idle += one.idle
        messages += one.messages
        parts += one.parts
        thought += one.thought
        idle_wide += one.idle_wide
    return Weight(narrow, wide, idle, messages, parts, thought, idle_wide)
