"""Pi session logs, versions 1 to 3: the context Pi 1.6 would build.

The leaf is the last line; the path follows parents; the last compaction of the path
stands first, then what it kept, then what came after; the latest edit of an entry
applies. The entries themselves are read by `pi_entries`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kernel.model import CoreMessage, evolve
from kernel.sessions.lines import Diagnostic
from kernel.sessions.log import Entry, Log
from kernel.sessions.pi_entries import Item, context_of, edits_of, message_of, read_entries
from kernel.sessions.times import last_of
from kernel.sessions.tree import Node, path_to, tree_notes
from kernel.wire import pi as wire

__all__ = ["read"]

FORMAT = "pi"


def read(raw: Iterable[bytes], leaf: str | None = None, *, earlier: bool = False) -> Log:
    """Read a session log line by line; with `earlier`, also what its summaries stand for."""
    notes: list[Diagnostic] = []
    header, items = read_entries(raw, notes)
    nodes = [Node(i.id, i.parent, i.line, str(i.value.get("timestamp", ""))) for i in items]
    path = path_to(nodes, leaf, notes)
    if leaf is None:
        tree_notes(nodes, path, notes)
    chosen = [items[index] for index in path]
    context = context_of(chosen)
    log = _log(header, chosen, context, notes)
    return evolve(log, earlier=_earlier(chosen, context)) if earlier else log


def _earlier(path: Sequence[Item], context: Sequence[Item]) -> tuple[CoreMessage, ...]:
    """Return the messages of the path that are not in its context."""
    kept = {item.id for item in context}
    edits = edits_of(path)
    found = [(i.id, message_of(i, edits)) for i in path if i.id not in kept]
    spoken = [(name, message) for name, message in found if message is not None]
    body = {"messages": [message for _, message in spoken]}
    return wire.decode(body, [name for name, _ in spoken].__getitem__).messages


def _log(
    header: Mapping[str, Any],
    path: Sequence[Item],
    context: Sequence[Item],
    notes: list[Diagnostic],
) -> Log:
    edits = edits_of(context)
    messages: list[dict[str, Any]] = []
    ids: list[str] = []
    entries: list[Entry] = []
    for item in context:
        message = message_of(item, edits)
        roles = () if message is None else (str(message.get("role")),)
        entries.append(Entry(item.id, str(item.value.get("type")), roles))
        if message is not None:
            messages.append(message)
            ids.append(item.id)
    level, model = _settings(header, path)
    return Log(
        FORMAT,
        wire.decode({"messages": messages}, ids.__getitem__),
        notes,
        header.get("id"),
        path[-1].id if path else None,
        entries,
        model,
        level,
        last_of(item.value.get("timestamp") for item in context if item.id in set(ids[-1:])),
    )


def _settings(header: Mapping[str, Any], path: Sequence[Item]) -> tuple[str, str | None]:
    """Return the thinking level and the model in force at the leaf."""
    level, model = str(header.get("thinkingLevel") or "off"), header.get("modelId")
    for item in path:
        value = item.value
        message = value.get("message")
        if value.get("type") == "thinking_level_change":
            level = str(value.get("thinkingLevel", level))
        elif value.get("type") == "model_change":
            model = value.get("modelId", model)
        elif isinstance(message, Mapping) and message.get("role") == "assistant":
            model = message.get("model", model)
    return level, model
