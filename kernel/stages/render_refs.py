"""render-refs: write each message's ref before its text, so that the model can name it.

Laws: a message's own leading tag is replaced, any other text that looks like one is
content; the token figure is taken once, from the text without its tag, and then frozen,
so that prefix caches hold; what has no ref gets no tag. Strategies: `all`, `text-only`
(nothing but plain texts, for hosts that parse arguments), `none`.
"""

from collections.abc import Sequence

from attrs import evolve

from kernel.model import BLOCKED, CoreMessage, is_synthetic
from kernel.ports import Ports, message_tokens
from kernel.stages.base import Context, RenderTags, Stage, Turn
from kernel.state import CompressionState
from kernel.text import repair, short_count

__all__ = ["STAGE", "render_refs", "tag", "untagged"]


def tag(ref: str, tokens: int, kind: str) -> str:
    """Spell the tag of a message, with the line end that closes it."""
    return f'<acp tokens="{short_count(tokens)}" type="{kind}">{ref}</acp>\n'


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
    by_raw = state.message_refs.by_raw
    snapshot = state.token_snapshot
    fresh: dict[str, int] = {}
    out: list[CoreMessage] = []
    append = out.append
    for message in messages:
        kind = message.content_type
        ref = by_raw.get(message.id)
        if (
            ref is None
            or ref == BLOCKED
            or (strategy == "text-only" and kind != "text")
            or (message.role == "system" and is_synthetic(message))
        ):
            append(message)
            continue
        text = message.text
        body = "" if not text else untagged(text, ref) if text[0] == "<" else text
        tokens = snapshot.get(ref)
        if tokens is None:
            tokens = fresh.get(ref)
            if tokens is None:
                bare = message if body == text else evolve(message, text=body)
                tokens = fresh[ref] = message_tokens(bare, ports.count_tokens)
        if kind[0] == "t" and kind != "text":
            kind = message.tool_name or "tool"  # type: ignore[assignment]
        shown = str(tokens) if tokens < 1000 else short_count(tokens)
        if not body.isascii():
            body = repair(body)
        append(
            CoreMessage(
                message.id,
                message.role,
                message.content_type,
                f'<acp tokens="{shown}" type="{kind}">{ref}</acp>\n{body}',
                message.tool_name,
                message.tool_call_id,
                message.extra,
            )
        )
    if not fresh:
        return out, state
    return out, evolve(state, token_snapshot={**snapshot, **fresh})


def _enabled(turn: Turn, context: Context) -> bool:  # noqa: ARG001 - the shape of a guard
    return context.render_tags != "none"


def _run(turn: Turn, context: Context) -> Turn:
    messages, state = render_refs(turn.messages, turn.state, context.ports, context.render_tags)
    return evolve(turn, messages=messages, state=state)


STAGE = Stage("render-refs", _run, _enabled, sound=True)
