"""Which messages are recent, which may be folded, and in which ranges to offer them.

Laws: refs are the assigned ones, never positions; a range breaks where refs leap ahead
and at a user turn once it holds three messages; a range too small to be accepted is
offered only joined with its neighbours. Calls in flight are nobody's to fold.
"""

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from kernel.config import Config
from kernel.model import BLOCKED, SUMMARY_HEADER, CoreMessage
from kernel.ports import Ports, count_tokens, message_tokens
from kernel.protection import protected_indices, protector
from kernel.state import CompressionState, covered_ids
from kernel.text import half_up, units
from kernel.zone import flying_turn, recent_zone

__all__ = [
    "FoldRange",
    "ProtectedRange",
    "Sized",
    "merged",
    "ranges",
    "sized",
]

_SPLIT_AT_USER: Final = 3
_TOOL: Final = frozenset({"tool-call", "tool-result"})


@frozen
class FoldRange:
    """A span to fold: its refs, messages, tokens, units, and the share of tool messages."""

    start_ref: str
    end_ref: str
    count: int
    tokens: int
    chars: int
    tool_pct: int
    text_pct: int


@frozen
class ProtectedRange:
    """A span nobody may fold, with the tools that protect it."""

    start_ref: str
    end_ref: str
    count: int
    tokens: int
    tools: tuple[str, ...]


@frozen
class Sized:
    """The tokens of each message of a view, counted once for all decisions."""

    tokens: Sequence[int]


def sized(messages: Sequence[CoreMessage], ports: Ports) -> Sized:
    """Count every message once."""
    count = ports.count_tokens
    if count is not count_tokens:
        return Sized([message_tokens(message, count) for message in messages])
    # The default rule, written out for the plain case: this runs over the whole view.
    return Sized(
        [
            (len(text) + 3) >> 2
            if (text := message.text) and text.isascii() and not message.extra
            else message_tokens(message, count)
            for message in messages
        ]
    )


class Folder:
    """The ranges of a view, grown message by message; `kernel.session` keeps one open."""

    __slots__ = ("chars", "count", "end", "ended", "previous", "start", "tokens", "tool_pct")

    def __init__(self) -> None:
        self.ended: list[FoldRange] = []
        self.count = self.tokens = self.chars = self.tool_pct = self.previous = 0
        self.start = self.end = ""

    def copy(self) -> "Folder":
        """Return an independent copy that shares the ended ranges' values."""
        other = Folder()
        for name in ("count", "tokens", "chars", "tool_pct", "previous", "start", "end"):
            setattr(other, name, getattr(self, name))
        return other

    def add(self, message: CoreMessage, ref: str, tokens: int) -> None:
        """Take the next foldable message."""
        try:
            number = int(ref[1:])
        except ValueError:  # a foreign state may name refs otherwise
            number = 0
        count = self.count
        if count and (
            number - self.previous > 1 or (count >= _SPLIT_AT_USER and message.role == "user")
        ):
            self.close()
            count = 0
        if not count:
            self.start = ref
        count += 1
        is_tool = message.content_type in _TOOL
        if is_tool or self.tool_pct:
            # A running mean, rounded half up each time.
            share = self.tool_pct * (count - 1) + (100 if is_tool else 0)
            self.tool_pct = (2 * share + count) // (2 * count)
        self.count = count
        self.tokens += tokens
        text = message.text
        if text:
            self.chars += len(text) if text.isascii() else units(text)
        self.previous, self.end = number, ref

    def close(self) -> None:
        """End the open range."""
        if self.count and self.tokens:
            self.ended.append(
                FoldRange(
                    self.start,
                    self.end,
                    self.count,
                    self.tokens,
                    self.chars,
                    self.tool_pct,
                    100 - self.tool_pct,
                )
            )
        self.count = self.tokens = self.chars = self.tool_pct = 0


def ranges(
    messages: Sequence[CoreMessage],
    state: CompressionState,
    config: Config,
    ports: Ports,
    sizes: Sized,
) -> tuple[list[FoldRange], list[ProtectedRange]]:
    """Return the foldable and the protected spans of a view, before joining small ones."""
    covered = covered_ids(state.blocks)
    zone = recent_zone(messages, state, config, ports, covered)
    protected = protected_indices(messages, protector(config, ports))
    flying = flying_turn(messages)
    by_raw = state.message_refs.by_raw
    folder = Folder()
    guarded: list[tuple[CoreMessage, str, int]] = []
    for index, (message, tokens) in enumerate(zip(messages, sizes.tokens, strict=True)):
        ref = by_raw.get(message.id)
        if ref is None or ref == BLOCKED:
            continue
        text = message.text
        if text and text[0] == "[" and text.startswith(SUMMARY_HEADER):
            continue
        if protected and index in protected:
            guarded.append((message, ref, tokens))
        elif ref not in zone and message.id not in covered and index not in flying:
            folder.add(message, ref, tokens)
    folder.close()
    return folder.ended, protected_ranges(guarded)


def protected_ranges(guarded: Sequence[tuple[CoreMessage, str, int]]) -> list[ProtectedRange]:
    out: list[ProtectedRange] = []
    previous = -1
    for message, ref, tokens in guarded:
        number = int(ref[1:]) if ref[1:].isdecimal() else 0
        tools = (message.tool_name,) if message.tool_name else ()
        if out and number - previous <= 1:
            last = out[-1]
            out[-1] = ProtectedRange(
                last.start_ref,
                ref,
                last.count + 1,
                last.tokens + tokens,
                tuple(dict.fromkeys(last.tools + tools)),
            )
        else:
            out.append(ProtectedRange(ref, ref, 1, tokens, tools))
        previous = number
    return out


def merged(found: Sequence[FoldRange], minimum: float) -> list[FoldRange]:
    """Join neighbours until each range has `minimum` units; a last smaller one stays."""
    if minimum <= 0:
        return list(found)
    out: list[FoldRange] = []
    batch: list[FoldRange] = []
    chars = 0
    for item in found:
        batch.append(item)
        chars += item.chars
        if chars >= minimum:
            out.append(join(batch))
            batch, chars = [], 0
    if batch:
        out.append(join(batch))
    return out


def join(batch: Sequence[FoldRange]) -> FoldRange:
    """Return one range over several, the tool share weighted by messages."""
    if len(batch) == 1:
        return batch[0]
    count = sum(item.count for item in batch)
    share = half_up(sum(item.tool_pct * item.count for item in batch) / count)
    return FoldRange(
        batch[0].start_ref,
        batch[-1].end_ref,
        count,
        sum(item.tokens for item in batch),
        sum(item.chars for item in batch),
        share,
        100 - share,
    )
