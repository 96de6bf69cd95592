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
from kernel.visitor import Visitor, walk

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


class _Tagger(Visitor):
    """Tags every message that has a ref; remembers the figures it had to count."""

    def __init__(self, state: CompressionState, ports: Ports) -> None:
        self._by_raw, self._snapshot = state.message_refs.by_raw, state.token_snapshot
        self._count = ports.count_tokens
        self.fresh: dict[str, int] = {}

    def visit(self, message: CoreMessage) -> CoreMessage:
        """Return the message with its tag."""
        ref = self._by_raw.get(message.id)
        if ref is None or ref == BLOCKED or (message.role == "system" and is_synthetic(message)):
            return message
        text = message.text
        body = "" if not text else untagged(text, ref) if text[0] == "<" else text
        tokens = self._snapshot.get(ref, -1)
        if tokens < 0:
            tokens = self.fresh.get(ref, -1)
            if tokens < 0:
                bare = message if body == text else with_text(message, body)
                tokens = self.fresh[ref] = message_tokens(bare, self._count)
        return _tagged(message, ref, tokens, body)


class _TextTagger(_Tagger):
    """Tags plain texts and nothing else."""

    def visit_call(self, message: CoreMessage) -> CoreMessage:
        """Leave arguments parsable."""
        return message

    visit_result = visit_reasoning = visit_call


def render_refs(
    messages: Sequence[CoreMessage],
    state: CompressionState,
    ports: Ports,
    strategy: RenderTags = "all",
) -> tuple[Sequence[CoreMessage], CompressionState]:
    """Return the tagged view and the state with the figures it froze."""
    tagger = (_TextTagger if strategy == "text-only" else _Tagger)(state, ports)
    out = walk(messages, tagger)
    if not tagger.fresh:
        return out, state
    return out, evolve(state, token_snapshot={**state.token_snapshot, **tagger.fresh})


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


def _enabled(turn: Turn, context: Context) -> bool:  # noqa: ARG001 - the shape of a guard
    return context.render_tags != "none"


def _run(turn: Turn, context: Context) -> Turn:
    messages, state = render_refs(turn.messages, turn.state, context.ports, context.render_tags)
    return evolve(turn, messages=messages, state=state)


STAGE = Stage("render-refs", _run, _enabled, sound=True)
