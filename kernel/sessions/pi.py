"""Pi session logs, versions 1 to 3: the context Pi 1.6 would build.

The leaf is the last line; the path follows parents; the last compaction of the path
stands first, then what it kept, then what came after; the latest edit of an entry
applies. Ids of a version 1 log are derived from line number and line digest, so that
they are the same in every reading.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from kernel.sessions.lines import Diagnostic, Line, read_lines
from kernel.sessions.log import Entry, Log
from kernel.sessions.tree import Node, path_to, tree_notes
from kernel.wire import pi as wire

__all__ = ["read"]

FORMAT = "pi"
_SPEAKS = ("message", "custom_message", "compaction", "branch_summary")


@frozen
class _Item:
    """An entry with its id settled."""

    id: str
    parent: str | None
    value: Mapping[str, Any]
    line: int


def read(raw: Iterable[bytes], leaf: str | None = None) -> Log:
    """Read a session log line by line."""
    notes: list[Diagnostic] = []
    header: Mapping[str, Any] = {}
    items: list[_Item] = []
    for line in read_lines(raw, notes):
        if not isinstance(line.value, Mapping):
            notes.append(Diagnostic("BAD_LINE", line.number, "no object; skipped"))
        elif line.value.get("type") == "session" and not items and not header:
            header = line.value
        else:
            items.append(_item(line, items))
    _migrate(header, items)
    nodes = [Node(i.id, i.parent, i.line, str(i.value.get("timestamp", ""))) for i in items]
    path = path_to(nodes, leaf, notes)
    if leaf is None:
        tree_notes(nodes, path, notes)
    chosen = [items[index] for index in path]
    context = _context(chosen)
    return _log(header, chosen, context, notes)


def _item(line: Line, items: Sequence[_Item]) -> _Item:
    value = line.value
    if isinstance(value.get("id"), str):
        parent = value.get("parentId")
        return _Item(value["id"], parent if isinstance(parent, str) else None, value, line.number)
    digest = hashlib.sha256(line.text.encode("utf-8", "replace")).hexdigest()[:8]
    place = f".{line.place}" if line.place else ""
    return _Item(
        f"l{line.number}{place}-{digest}", items[-1].id if items else None, value, line.number
    )


def _migrate(header: Mapping[str, Any], items: list[_Item]) -> None:
    """Bring what a version 1 log says by index into the form of ids."""
    if header.get("version", 1) != 1:
        return
    for at, item in enumerate(items):
        index = item.value.get("firstKeptEntryIndex")
        if item.value.get("type") == "compaction" and isinstance(index, int):
            kept = items[index - 1].id if 0 < index <= len(items) else None
            value = {**item.value, "firstKeptEntryId": kept}
            items[at] = _Item(item.id, item.parent, value, item.line)


def _context(path: Sequence[_Item]) -> list[_Item]:
    """Return the entries a model's context is built of, in its order."""
    at = next(
        (i for i in range(len(path) - 1, -1, -1) if path[i].value.get("type") == "compaction"), -1
    )
    if at < 0:
        return list(path)
    first = path[at].value.get("firstKeptEntryId")
    kept: list[_Item] = []
    for index in range(at):
        if path[index].id == first or kept:
            kept.append(path[index])
    older = [
        item for item in kept if item.value.get("type") != "compaction" and not _is_system(item)
    ]
    return [path[at], *older, *path[at + 1 :]]


def _is_system(item: _Item) -> bool:
    message = item.value.get("message")
    return isinstance(message, Mapping) and message.get("role") == "system"


def _edits(context: Sequence[_Item]) -> dict[str, Any]:
    return {
        item.value["targetId"]: item.value.get("replacement")
        for item in context
        if item.value.get("type") == "context_edit" and isinstance(item.value.get("targetId"), str)
    }


def _message(item: _Item, edits: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the Pi message an entry adds to the context, or None."""
    value = item.value
    kind = value.get("type")
    if kind not in _SPEAKS:
        return None
    if kind == "message":
        message = value.get("message")
        if not isinstance(message, Mapping):
            return None
        out = (
            {**message, "role": "custom"} if message.get("role") == "hookMessage" else dict(message)
        )
    elif kind == "custom_message":
        keys = ("customType", "content", "display", "details")
        out = {"role": "custom", **{key: value[key] for key in keys if key in value}}
    else:
        role = "compactionSummary" if kind == "compaction" else "branchSummary"
        out = {"role": role, "summary": value.get("summary", "")}
    if item.id in edits:
        replacement = edits[item.id]
        if not isinstance(replacement, Mapping):
            return None
        content = replacement.get("content")
        if isinstance(content, str) and out["role"] in ("assistant", "toolResult"):
            content = [{"type": "text", "text": content}]
        out["content"] = content
    return out


def _log(
    header: Mapping[str, Any],
    path: Sequence[_Item],
    context: Sequence[_Item],
    notes: list[Diagnostic],
) -> Log:
    edits = _edits(context)
    messages: list[dict[str, Any]] = []
    ids: list[str] = []
    entries: list[Entry] = []
    for item in context:
        message = _message(item, edits)
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
    )


def _settings(header: Mapping[str, Any], path: Sequence[_Item]) -> tuple[str, str | None]:
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
