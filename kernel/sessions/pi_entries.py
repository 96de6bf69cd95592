"""Entries of Pi session logs, versions 1 to 3, and the context they build.

Laws: entries come in file order, whatever the file went through; ids of a version 1 log
are derived from line number and line digest, so that they are the same in every reading;
the last compaction of a path stands first in its context, then what it kept, then what
came after; the latest edit of an entry applies.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from kernel.sessions.lines import Diagnostic, Line, read_lines

__all__ = ["Item", "context_of", "edits_of", "message_of", "read_entries"]

_SPEAKS = ("message", "custom_message", "compaction", "branch_summary")


@frozen
class Item:
    """An entry with its id settled."""

    id: str
    parent: str | None
    value: Mapping[str, Any]
    line: int


def read_entries(
    raw: Iterable[bytes], notes: list[Diagnostic]
) -> tuple[Mapping[str, Any], list[Item]]:
    """Read the header (empty where there is none) and the entries of a log, line by line."""
    header: Mapping[str, Any] = {}
    items: list[Item] = []
    for line in read_lines(raw, notes):
        if not isinstance(line.value, Mapping):
            notes.append(Diagnostic("BAD_LINE", line.number, "no object; skipped"))
        elif line.value.get("type") == "session" and not items and not header:
            header = line.value
        else:
            items.append(_item(line, items))
    if not header and items:
        notes.append(
            Diagnostic("NO_HEADER", 1, "the header is missing; entries are read as they are")
        )
    _migrate(header, items)
    return header, items


def _item(line: Line, items: Sequence[Item]) -> Item:
    value = line.value
    if isinstance(value.get("id"), str):
        parent = value.get("parentId")
        return Item(value["id"], parent if isinstance(parent, str) else None, value, line.number)
    digest = hashlib.sha256(line.text.encode("utf-8", "replace")).hexdigest()[:8]
    place = f".{line.place}" if line.place else ""
    return Item(
        f"l{line.number}{place}-{digest}", items[-1].id if items else None, value, line.number
    )


def _migrate(header: Mapping[str, Any], items: list[Item]) -> None:
    """Bring what a version 1 log says by index into the form of ids."""
    if header.get("version", 1) != 1:
        return
    for at, item in enumerate(items):
        index = item.value.get("firstKeptEntryIndex")
        if item.value.get("type") == "compaction" and isinstance(index, int):
            kept = items[index - 1].id if 0 < index <= len(items) else None
            value = {**item.value, "firstKeptEntryId": kept}
            items[at] = Item(item.id, item.parent, value, item.line)


def context_of(path: Sequence[Item]) -> list[Item]:
    """Return the entries a model's context is built of, in its order."""
    at = next(
        (i for i in range(len(path) - 1, -1, -1) if path[i].value.get("type") == "compaction"), -1
    )
    if at < 0:
        return list(path)
    first = path[at].value.get("firstKeptEntryId")
    kept: list[Item] = []
    for index in range(at):
        if path[index].id == first or kept:
            kept.append(path[index])
    older = [
        item for item in kept if item.value.get("type") != "compaction" and not _is_system(item)
    ]
    return [path[at], *older, *path[at + 1 :]]


def _is_system(item: Item) -> bool:
    message = item.value.get("message")
    return isinstance(message, Mapping) and message.get("role") == "system"


def edits_of(context: Sequence[Item]) -> dict[str, Any]:
    """Return the replacement each context edit asks for, by its target's id; the latest holds."""
    return {
        item.value["targetId"]: item.value.get("replacement")
        for item in context
        if item.value.get("type") == "context_edit" and isinstance(item.value.get("targetId"), str)
    }


def message_of(item: Item, edits: Mapping[str, Any]) -> dict[str, Any] | None:
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
