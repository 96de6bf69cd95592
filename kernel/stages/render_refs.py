"""render-refs: write each message's ref before its text, so that the model can name it.

Laws: a message's own leading tag is replaced, any other text that looks like one is
content; the token figure is taken once, from the text without its tag, and then frozen,
so that prefix caches hold; what has no ref gets no tag. Strategies: `all`, `text-only`
(nothing but plain texts, for hosts that parse arguments), `none`.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.model import BLOCKED, CoreMessage, is_synthetic, with_text
from kernel.ports import Ports, message_tokens
from kernel.stages.base import Context, RenderTags, Stage, Turn
from kernel.state import CompressionState
from kernel.text import repair, short_count

__all__ = ["STAGE", "render_refs", "untagged"]

_TOOL = frozenset({"tool-call", "tool-result"})
_SHORT = 1000


def untagged(text: str, ref: str) -> str:
    """Strip one leading tag of that very ref, and one line end after it."""
    if not text.startswith('<acp tokens="'):
        return text
    close = text.find(">")
    end = f"{ref}</acp>"
    if close < 0 or '" type="' not in text[:close] or not text.startswith(end, close + 1):
        return text
    return text[close + 1 + len(end) :].removeprefix("\n")


def render_refs(
    messages: Sequence[CoreMessage],
    state: CompressionState,
    ports: Ports,
    strategy: RenderTags = "all",
) -> tuple[list[CoreMessage], CompressionState]:
    """Return the tagged view and the state with the figures it froze."""
    by_raw, snapshot = state.message_refs.by_raw, state.token_snapshot
    fresh: dict[str, int] = {}
    out: list[CoreMessage] = []
    for message in messages:
        ref = by_raw.get(message.id)
        if ref is None or ref == BLOCKED or _stays_bare(message, strategy):
            out.append(message)
            continue
        text = message.text
        body = "" if not text else untagged(text, ref) if text[0] == "<" else text
        tokens = snapshot.get(ref, -1)
        if tokens < 0:
            tokens = fresh.get(ref, -1)
            if tokens < 0:
                bare = message if body == text else with_text(message, body)
                tokens = fresh[ref] = message_tokens(bare, ports.count_tokens)
        out.append(_tagged(message, ref, tokens, body))
    if not fresh:
        return out, state
    return out, evolve(state, token_snapshot={**snapshot, **fresh})


def _tagged(message: CoreMessage, ref: str, tokens: int, body: str) -> CoreMessage:
    kind: str = message.content_type
    if kind in _TOOL:
        kind = message.tool_name or "tool"
    if not body.isascii():
        body = repair(body)
    figure = tokens if tokens < _SHORT else short_count(tokens)
    # Spelled out rather than composed: this runs for every message of every turn.
    return CoreMessage(
        message.id,
        message.role,
        message.content_type,
        f'<acp tokens="{figure}" type="{kind}">{ref}</acp>\n{body}',
        message.tool_name,
        message.tool_call_id,
        message.extra,
    )


def _stays_bare(message: CoreMessage, strategy: RenderTags) -> bool:
    if strategy == "text-only" and message.content_type != "text":
        return True
    return message.role == "system" and is_synthetic(message)


def _enabled(turn: Turn, context: Context) -> bool:  # noqa: ARG001 - the shape of a guard
    return context.render_tags != "none"


def _run(turn: Turn, context: Context) -> Turn:
    messages, state = render_refs(turn.messages, turn.state, context.ports, context.render_tags)
    return evolve(turn, messages=messages, state=state)


STAGE = Stage("render-refs", _run, _enabled, sound=True)
