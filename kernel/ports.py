"""What a host may plug in, and the counters that ship.

Laws: the kernel fetches nothing; whatever it cannot know comes through `Ports`. One
counter serves every decision of a turn, so that no two numbers disagree.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from attrs import field, frozen

from kernel.model import IMAGE_TOKENS, CoreMessage
from kernel.text import units

__all__ = ["Counter", "Embed", "Ports", "cached", "count_tokens", "count_words", "message_tokens"]

Counter = Callable[[str], int]
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]

_CJK = re.compile("[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
_PIECE = re.compile(
    "([\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af])|([A-Za-z][A-Za-z'_-]*)|([0-9]{1,3})|(\\S)"
)


@frozen
class Ports:
    """The host's capabilities: a token counter, a protection test, filters, embeddings.

    Attributes:
        count_tokens: From a text to its tokens; by default `kernel.count_tokens`.
        is_protected: Tells by a tool's name that its results are never folded.
        filters: Message filters, in order.
        embed: From texts to vectors, for semantic search.
    """

    count_tokens: Counter = field(factory=lambda: count_tokens)
    is_protected: Callable[[str], bool] | None = None
    filters: tuple[Any, ...] = ()
    embed: Embed | None = None


def count_tokens(text: str) -> int:
    """Estimate tokens: one per CJK, kana or hangul character, a quarter per other unit."""
    if text.isascii():
        return (len(text) + 3) >> 2
    wide = sum(map(len, _CJK.findall(text)))
    return wide + ((units(text) - wide + 3) >> 2)


def count_words(text: str) -> int:
    """Estimate tokens word by word: a word a quarter of its letters, marks one each."""
    total = 0
    for wide, word, _digits, _mark in _PIECE.findall(text):
        total += (len(word) + 3) >> 2 if word and not wide else 1
    return total


def cached(counter: Counter, size: int = 65536) -> Counter:
    """Wrap a slow counter in a bounded memory, oldest text forgotten first."""
    memory: dict[str, int] = {}

    def count(text: str) -> int:
        known = memory.get(text)
        if known is None:
            if len(memory) >= size:
                del memory[next(iter(memory))]
            known = memory[text] = counter(text)
        return known

    return count


def message_tokens(message: CoreMessage, counter: Counter) -> int:
    """Count a message: its text, and a fixed price for each picture it carries."""
    text = message.text
    count = counter(text) if text else 0
    if message.extra:
        pictures = message.extra.get("images")
        if pictures:
            count += IMAGE_TOKENS * int(pictures)
    return count
