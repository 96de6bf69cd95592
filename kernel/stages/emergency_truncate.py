"""emergency-truncate: cut old tool outputs in the middle, the last valve before overflow.

Laws: only tool results before the recent messages, of at least 1,000 tokens and more
than 4,000 units, largest first, until a tenth below the threshold is saved; the first
and last 2,000 units stay; no code point is split; a text that bears the marker is never
cut again. Calls, reasoning, summaries and the pinned first user message are never cut:
what remains above the window is reported, with the tokens nobody may cut.
"""

import re
from collections.abc import Sequence

from attrs import evolve

from kernel.config import Config
from kernel.model import CoreMessage, is_summary, with_text
from kernel.ports import Ports, message_tokens
from kernel.stages.base import Context, Effect, Overflow, Stage, Turn, message_before
from kernel.stages.prune import first_user
from kernel.text import head, tail, units

__all__ = ["MARKER", "STAGE", "irreducible_tokens", "marker", "truncate"]

_KEEP = 2000
_MIN_TOKENS = 1000
_SLACK = 0.9
# 60 units for a four-digit count, with the blank lines around it 64.
_TEMPLATE = "\n\n[... {} tokens of output, cut in the middle for space ...]\n\n"
MARKER = re.compile(re.escape(_TEMPLATE).replace(r"\{\}", r"([0-9]+)"))


def marker(tokens: int) -> str:
    """Return the text that stands for the middle of an output of that many tokens."""
    return _TEMPLATE.format(tokens)


def truncate(
    messages: Sequence[CoreMessage], config: Config, token_count: float, ports: Ports
) -> tuple[Sequence[CoreMessage], list[int], float]:
    """Return the view with old outputs cut, the indices cut, the tokens saved."""
    bound = config.truncate.threshold * config.model_context_limit
    last = len(messages) - max(0, config.preserve_recent_messages)
    sized: list[tuple[int, int]] = []
    for index in range(max(0, last)):
        message = messages[index]
        if message.content_type == "tool-result" and message.text:
            tokens = ports.count_tokens(message.text)
            if tokens >= _MIN_TOKENS and not MARKER.search(message.text):
                sized.append((tokens, index))
    sized.sort(key=lambda item: -item[0])
    out = list(messages)
    cut: list[int] = []
    saved = 0.0
    for tokens, index in sized:
        if token_count - saved <= _SLACK * bound:
            break
        text = messages[index].text or ""
        if units(text) <= 2 * _KEEP:
            continue
        short = head(text, _KEEP) + marker(tokens) + tail(text, _KEEP)
        out[index] = with_text(messages[index], short)
        saved += tokens - ports.count_tokens(short)
        cut.append(index)
    return (out, sorted(cut), saved) if cut else (messages, [], 0.0)


def irreducible_tokens(messages: Sequence[CoreMessage], ports: Ports) -> int:
    """Count what no fold and no cut can take: the pinned user message, host system texts."""
    pinned = first_user(messages)
    return sum(
        message_tokens(message, ports.count_tokens)
        for index, message in enumerate(messages)
        if index == pinned or (message.role == "system" and not is_summary(message))
    )


def _enabled(turn: Turn, context: Context) -> bool:  # noqa: ARG001 - the shape of a guard
    limit, count = context.config.model_context_limit, context.token_count
    threshold = context.config.truncate.threshold
    return limit > 0 and count / limit >= threshold and count >= threshold * limit


def _run(turn: Turn, context: Context) -> Turn:
    messages, cut, saved = truncate(
        turn.messages, context.config, context.token_count, context.ports
    )
    over = context.token_count - saved - context.config.model_context_limit
    overflow = turn.overflow
    if over > 0:
        overflow = Overflow(over, irreducible_tokens(context.raw, context.ports))
    if not cut:
        return evolve(turn, overflow=overflow)
    inner = len(head(turn.messages[cut[0]].text or "", _KEEP).encode("utf-8", "surrogatepass"))
    effect = Effect(
        "emergency-truncate", "truncated", len(cut), message_before(messages, cut[0]), inner
    )
    return evolve(turn, messages=messages, overflow=overflow, effects=(*turn.effects, effect))


STAGE = Stage("emergency-truncate", _run, _enabled, sound=True)
