"""OpenAI chat completions ↔ core messages.

Leading system and developer messages are the prompt and never folded. Reasoning is read
from `reasoning_content`, `reasoning` or a leading think block of the content; the legacy
`function_call` pairs with the `function` message after it; custom tools carry `input`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kernel.model import CoreMessage
from kernel.wire.assemble import (
    OPEN_RESULT,
    Group,
    Member,
    grouped,
    last_open,
    members_of,
    part_counts,
    untouched,
)
from kernel.wire.filling import with_members
from kernel.wire.history import History
from kernel.wire.names import Names
from kernel.wire.openai_read import FORMAT, THINK, decode
from kernel.wire.source import Slice, patched, plain

__all__ = ["NAMES", "decode", "encode"]

NAMES = Names(longest=40)
# What a message may say; one that says nothing at all is refused.
_SAID = ("content", "tool_calls", "function_call", "refusal", "audio")


def encode(view: Sequence[CoreMessage], history: History | None) -> Any:
    """Return a body as a tree: the source's with its messages replaced, or a new one."""
    same = history is not None and history.format == FORMAT
    members = members_of(view, history, NAMES, same=same)
    groups = grouped(members, history, same=same)
    counts = part_counts(history) if same else {}
    items: list[Any] = []
    if history is not None:
        if same:
            items.extend(history.source.items[index] for index in history.system_items)
        elif history.system_parts:
            items.append({"role": "system", "content": "\n\n".join(history.system_parts)})
    for group in groups:
        whole = untouched(group, history, counts) if same else None
        items.extend([whole] if whole is not None else _items(group, history if same else None))
    items += [
        {"role": "tool", "tool_call_id": call.call_id, "content": OPEN_RESULT}
        for call in last_open(groups)
    ]
    items = [_filled(item) for item in items]
    if same and history is not None:
        return history.source.rebuilt(items)
    return {"messages": items}


def _filled(item: Any) -> Any:
    """Return a message without an empty list, and not without any content at all."""
    value = item.value if isinstance(item, Slice) else item
    said = {key: plain(value.get(key)) for key in _SAID}
    changes: dict[str, Any] = {"tool_calls": None} if said["tool_calls"] == [] else {}
    if said["content"] == [] or all(item in (None, []) for item in said.values()):
        changes["content"] = ""
    return with_members(item, **changes) if changes else item


def _items(group: Group, history: History | None) -> list[Any]:
    if group.role == "assistant":
        return [_assistant_item(group, history)]
    return [_single(member, history) for member in group.members]


def _single(member: Member, history: History | None) -> Any:
    """Return the message of a user, system or tool text."""
    source = history.source.items[member.origin.item] if history and member.origin else None
    if source is not None:
        changes: dict[str, Any] = {"content": _content(member, source)}
        if member.renamed:
            changes["tool_call_id"] = member.call_id
        return patched(source, **changes)
    if member.kind == "tool-result":
        if not member.call_id:
            return {
                "role": "user",
                "content": f"[Result of {member.message.tool_name or 'a tool'}]\n{member.text}",
            }
        return {"role": "tool", "tool_call_id": member.call_id, "content": member.shown}
    return {"role": member.message.role, "content": member.shown}


def _content(member: Member, source: Slice) -> Any:
    """Return a content with its text replaced and every other part kept."""
    content = source.child("content")
    if not isinstance(content.value, list):
        return content if member.intact else member.shown
    parts: list[Any] = []
    placed = False
    for part in content.items():
        text = part.value.get("text") if isinstance(part.value, Mapping) else None
        if not isinstance(text, str):
            parts.append(part)
        elif not member.changed:
            parts.append(
                part if placed or not member.tag else patched(part, text=member.tag + text)
            )
            placed = True
        elif not placed:
            parts.append(patched(part, text=member.shown))
            placed = True
    if member.changed and not placed:
        parts.insert(0, {"type": "text", "text": member.shown})
    return parts


def _assistant_item(group: Group, history: History | None) -> Any:
    """Return one assistant message of all parts that are left of it."""
    source = history.source.items[group.item] if history and group.item is not None else None
    tree: dict[str, Any] = {"role": "assistant"}
    if source is not None:
        dropped = {"reasoning_content", "reasoning", "tool_calls", "function_call", "content"}
        tree = {key: item for key, item in source.members().items() if key not in dropped}
    texts = [member for member in group.members if member.kind == "text"]
    inline = [member for member in group.members if _part(member) == "inline"]
    thoughts = [m for m in group.members if m.kind == "reasoning" and _part(m) != "inline"]
    calls = [member for member in group.members if member.kind == "tool-call"]
    tree["content"] = _assistant_content(texts, inline, calls, source)
    if thoughts:
        key = _part(thoughts[0]) if source is not None else "reasoning_content"
        first = source.child(str(key)) if source is not None and len(thoughts) == 1 else None
        tree[str(key)] = first if first is not None else "\n".join(m.text for m in thoughts)
    built = [_call_item(member, history) for member in calls if member.call_id]
    legacy = [member for member in calls if _part(member) == "function_call"]
    if legacy and source is not None:
        tree["function_call"] = source.child("function_call")
    elif built:
        tree["tool_calls"] = built
    return tree


def _part(member: Member) -> Any:
    return member.origin.part if member.origin is not None else None


def _assistant_content(
    texts: Sequence[Member], inline: Sequence[Member], calls: Sequence[Member], source: Slice | None
) -> Any:
    lost = [f"[Call of {c.message.tool_name}]\n{c.text}" for c in calls if not c.call_id]
    if source is not None and len(texts) == 1 and not lost and not inline:
        if isinstance(source.value.get("content"), list):
            return _content(texts[0], source)
        if texts[0].intact and not THINK.match(str(source.value.get("content"))):
            return source.child("content")
    thought = "".join(f"<think>\n{member.text}\n</think>\n" for member in inline)
    words = "\n".join([*(member.shown for member in texts), *lost])
    if not texts and not lost and not inline:
        return None
    return thought + words


def _call_item(member: Member, history: History | None) -> Any:
    part = _part(member)
    if history is not None and member.origin is not None and isinstance(part, tuple):
        call = history.source.items[member.origin.item].child("tool_calls").items()[part[1]]
        if not member.changed:
            return patched(call, id=member.call_id) if member.renamed else call
        key, field = (
            ("custom", "input") if call.value.get("type") == "custom" else ("function", "arguments")
        )
        detail = patched(call.child(key), **{field: member.text})
        return patched(call, **{key: detail, "id": member.call_id})
    function = {"name": member.message.tool_name or "tool", "arguments": member.text or "{}"}
    return {"id": member.call_id, "type": "function", "function": function}
