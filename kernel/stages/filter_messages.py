"""filter: rewrite texts by the filters a host registered.

Laws: off unless `messageFilters.enabled` and at least one filter is registered; a filter
that raises is skipped; dropping empties a text, the message stays; signed reasoning and
what the kernel made are never touched. Immediate filters chain in order of registration;
a keep-last filter then leaves only the newest message it matches.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from attrs import evolve, frozen

from kernel.config import Config
from kernel.model import CoreMessage, is_synthetic, with_text
from kernel.stages.base import Context, Effect, Stage, Turn, message_before
from kernel.visitor import Visitor, walk

__all__ = ["STAGE", "Filter", "apply_filters", "register"]


@frozen
class Filter:
    """A named rewriting: `rewrite(text, message)` gives the new text, "" drops it.

    For `keep_last_only`, None from `rewrite` means that the message does not match.
    """

    name: str
    version: str
    rewrite: Callable[[str, CoreMessage], str | None]
    mode: Literal["immediate", "keep_last_only"] = "immediate"


def register(filters: Sequence[Filter], new: Filter) -> tuple[Filter, ...]:
    """Return the filters with one more; the same name in another version is a misuse."""
    for known in filters:
        if known.name == new.name:
            if known.version != new.version:
                raise ValueError(
                    f"filter {new.name!r} is registered in version {known.version}: "
                    f"drop it before registering version {new.version}"
                )
            return tuple(filters)
    return (*filters, new)


class _Immediate(Visitor):
    """Sends every text through the immediate filters, in order."""

    def __init__(self, filters: Sequence[Filter]) -> None:
        self._filters = [item for item in filters if item.mode == "immediate"]

    def visit(self, message: CoreMessage) -> CoreMessage:
        """Return the message with its filtered text."""
        if not _open(message):
            return message
        text = message.text or ""
        for item in self._filters:
            answer = _call(item, text, message) if text else None
            text = text if answer is None else answer
        return message if text == message.text else with_text(message, text)


def apply_filters(messages: Sequence[CoreMessage], filters: Sequence[Filter]) -> list[CoreMessage]:
    """Return the messages with every filter applied."""
    out = list(walk(messages, _Immediate(filters)))
    for item in filters:
        if item.mode == "keep_last_only":
            _keep_last(out, item)
    return out


def _open(message: CoreMessage) -> bool:
    return bool(message.text) and "signature" not in message.extra and not is_synthetic(message)


def _call(item: Filter, text: str, message: CoreMessage) -> str | None:
    try:
        return item.rewrite(text, message)
    except Exception:  # noqa: BLE001 - a host's filter must not take the turn down
        return None


def _keep_last(out: list[CoreMessage], item: Filter) -> None:
    seen = False
    for index in range(len(out) - 1, -1, -1):
        message = out[index]
        if not _open(message):
            continue
        answer = _call(item, message.text or "", message)
        if answer is None:
            continue
        text = "" if seen else answer
        seen = True
        if text != message.text:
            out[index] = with_text(message, text)


def _active(filters: Sequence[Filter], config: Config) -> list[Filter]:
    settings = config.message_filters
    return [item for item in filters if settings is not None and settings.is_on(item.name)]


def _enabled(turn: Turn, context: Context) -> bool:  # noqa: ARG001 - the shape of a guard
    settings = context.config.message_filters
    return settings is not None and settings.enabled and bool(context.ports.filters)


def _run(turn: Turn, context: Context) -> Turn:
    filters = _active(context.ports.filters, context.config)
    out = apply_filters(turn.messages, filters)
    changed = [i for i, (a, b) in enumerate(zip(turn.messages, out, strict=True)) if a is not b]
    if not changed:
        return turn
    effect = Effect("filter", "filtered", len(changed), message_before(out, changed[0]))
    return evolve(turn, messages=out, effects=(*turn.effects, effect))


STAGE = Stage("filter", _run, _enabled, sound=True)
