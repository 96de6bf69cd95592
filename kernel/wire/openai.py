"""OpenAI chat completions ↔ core messages.

Leading system and developer messages are the prompt and never folded. Reasoning is read
from `reasoning_content`, `reasoning` or a leading think block of the content; the legacy
`function_call` pairs with the `function` message after it; custom tools carry `input`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernel.model import CoreMessage
from kernel.wire.assemble import (
    OPEN_RESULT,
    Group,
    Member,
    Names,
    grouped,
    last_open,
    members_of,
    part_counts,
    untouched,
)
from kernel.wire.history import Builder, History, flat_text
from kernel.wire.source import Slice, patched, read_source

__all__ = ["NAMES", "decode", "encode"]

FORMAT = "openai"
NAMES = Names(longest=64)
_THINK = re.compile(
    r"\s*(?:<think>\n?(.*?)\n?</think>|<thinking>\n?(.*?)\n?</thinking>"
    r"|```thinking\n(.*?)\n```)\s*",
    re.DOTALL,
)
_TEXTS = ("text", "refusal", "input_text", "output_text")


def decode(body: Any, ids: Callable[[int], str | None] | None = None) -> History:
    """Read a chat completions body (object or list, value or JSON text)."""
    source = read_source(body, ("messages",))
    build = Builder(FORMAT, source, ids)
    legacy = ""
    for index, item in enumerate(source.items):
        value = item.value
        if not isinstance(value, Mapping):
            build.add(index, "opaque", "user", "text", flat_text(value))
            continue
        role = value.get("role")
        content = value.get("content")
        if role in ("system", "developer"):
            if build.empty:
                build.system(index, flat_text(content, _TEXTS))
            else:
                build.add(index, "content", "system", "text", flat_text(content, _TEXTS))
        elif role == "assistant":
            legacy = _assistant(build, index, value) or legacy
        elif role in ("tool", "function"):
            call = value.get("tool_call_id") or (legacy if role == "function" else None)
            text = flat_text(content, _TEXTS)
            extra = _pictures(content)
            build.add(
                index,
                "content",
                "tool",
                "tool-result",
                text,
                tool=value.get("name"),
                call=call,
                extra=extra,
            )
        else:
            build.add(
                index,
                "content",
                "user",
                "text",
                flat_text(content, _TEXTS),
                extra=_pictures(content),
            )
    return build.history()


def _pictures(content: Any) -> dict[str, Any]:
    parts = content if isinstance(content, list) else []
    count = sum(
        isinstance(p, Mapping) and p.get("type") in ("image_url", "input_image", "image")
        for p in parts
    )
    return {"images": count} if count else {}


def _assistant(build: Builder, index: int, value: Mapping[str, Any]) -> str:
    """Read an assistant message; return the id given to a legacy call, if any."""
    added = 0
    content = value.get("content")
    for key in ("reasoning_content", "reasoning"):
        if isinstance(value.get(key), str) and value[key]:
            build.add(index, key, "assistant", "reasoning", value[key])
            added += 1
            break
    text = flat_text(content, _TEXTS)
    if isinstance(content, str) and not added:
        found = _THINK.match(content)
        if found:
            thought = next((part for part in found.groups() if part is not None), "")
            build.add(index, "inline", "assistant", "reasoning", thought)
            added += 1
            text = content[found.end() :]
    if not text and isinstance(value.get("refusal"), str):
        text = value["refusal"]
    calls = value.get("tool_calls")
    calls = calls if isinstance(calls, list) else []
    legacy = value.get("function_call")
    if text or not (calls or isinstance(legacy, Mapping)):
        build.add(index, "content", "assistant", "text", text, extra=_pictures(content))
    for number, call in enumerate(calls):
        if isinstance(call, Mapping):
            _call(build, index, number, call)
    if isinstance(legacy, Mapping):
        name = f"fn_{index}"
        build.add(
            index,
            "function_call",
            "assistant",
            "tool-call",
            str(legacy.get("arguments") or ""),
            tool=legacy.get("name"),
            call=name,
        )
        return name
    return ""


def _call(build: Builder, index: int, number: int, call: Mapping[str, Any]) -> None:
    detail = call.get("custom") if call.get("type") == "custom" else call.get("function")
    detail = detail if isinstance(detail, Mapping) else {}
    text = detail.get("input") if call.get("type") == "custom" else detail.get("arguments")
    if call.get("type") == "custom" and call.get("id"):
        build.custom.append(call["id"])
    build.add(
        index,
        ("tool_calls", number),
        "assistant",
        "tool-call",
        text if isinstance(text, str) else "",
        tool=detail.get("name"),
        call=call.get("id"),
    )


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
    if same and history is not None:
        return history.source.rebuilt(items)
    return {"messages": items}


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
        if texts[0].intact and not _THINK.match(str(source.value.get("content"))):
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
