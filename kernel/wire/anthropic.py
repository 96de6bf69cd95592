"""Anthropic messages ↔ core messages.

Thinking, tool use and tool results are one core message each; a run of other blocks
(texts, images, documents, server tools) is one. Call ids are unique and of a narrow
alphabet here; a thinking block goes back only with its signature, and a blank text, which
the provider refuses, not at all.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernel.model import CoreMessage
from kernel.wire.assemble import (
    BLANK,
    OPEN_RESULT,
    Member,
    as_object,
    grouped,
    last_open,
    members_of,
    part_counts,
)
from kernel.wire.filling import Filling, filled, with_members
from kernel.wire.history import Builder, History, flat_text
from kernel.wire.names import Names
from kernel.wire.parts import PartReader
from kernel.wire.source import Slice, compact, patched, plain, read_source
from kernel.wire.turns import Shape, entries_of, first_role_fixed, rendered

__all__ = ["NAMES", "decode", "encode"]

FORMAT = "anthropic"
NAMES = Names(unique=True, longest=64, allowed=re.compile(r"[a-zA-Z0-9_-]+"))
_OPENING = {"role": "user", "content": [{"type": "text", "text": "(The conversation goes on.)"}]}


def decode(body: Any, ids: Callable[[int], str | None] | None = None) -> History:
    """Read a messages body (object or list, value or JSON text)."""
    source = read_source(body, ("messages",))
    build = Builder(FORMAT, source, ids)
    system = source.root.value.get("system") if isinstance(source.root.value, Mapping) else None
    if system:
        build.system_parts.append(flat_text(system))
    for index, item in enumerate(source.items):
        value = item.value
        value = (
            value if isinstance(value, Mapping) else {"role": "user", "content": flat_text(value)}
        )
        role = value.get("role")
        role = role if role in ("assistant", "system") else "user"
        content = value.get("content")
        if isinstance(content, list):
            _blocks(build, index, role, content)
        else:
            build.add(index, None, role, "text", flat_text(content))
    return build.history()


def _is_picture(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "image"


def _blocks(build: Builder, index: int, role: str, content: Sequence[Any]) -> None:
    reader = PartReader(build, index, role, content, _is_picture)
    for number, block in enumerate(content):
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind in ("thinking", "redacted_thinking"):
            text = block.get("thinking") or f"[{kind}]"
            hidden = {"redacted": True} if kind == "redacted_thinking" else {}
            seal = block.get("signature") or block.get("data") or "none"
            reader.reasoning(number, text, seal, **hidden)
        elif kind == "tool_use":
            text = compact(block.get("input", {}))
            reader.call(number, text, block.get("name"), block.get("id"))
        elif kind == "tool_result":
            content_ = block.get("content")
            reader.result(number, flat_text(content_), None, block.get("tool_use_id"), content_)
        else:
            reader.other(number)
    reader.finish()


def encode(view: Sequence[CoreMessage], history: History | None) -> Any:
    """Return a body as a tree: the source's with its messages replaced, or a new one."""
    same = history is not None and history.format == FORMAT
    members = members_of(view, history, NAMES, same=same)
    if not same:
        members = [m for m in members if m.kind != "reasoning" or _signed(m)]
    own = history if same else None
    items = rendered(entries_of(members, _SHAPE), own, part_counts(own), _SHAPE)
    open_calls = last_open(grouped(members, None, same=False))
    if open_calls:
        results = [
            {"type": "tool_result", "tool_use_id": call.call_id, "content": OPEN_RESULT}
            for call in open_calls
        ]
        items = _closed(items, results)
    items = filled(items, _FILLING)
    items = first_role_fixed(items, lambda item: plain(item).get("role"), _OPENING)
    if same and history is not None:
        return history.source.rebuilt(items)
    tree: dict[str, Any] = {"messages": items}
    if history is not None and history.system_parts:
        tree["system"] = "\n\n".join(history.system_parts)
    return tree


def _closed(items: list[Any], results: list[Any]) -> list[Any]:
    """Answer open calls: in the results of their turn, or in a message of its own."""
    last = items[-1] if items else None
    if last is None or plain(last).get("role") == "assistant":
        return [*items, {"role": "user", "content": results}]
    tree = dict(last.members()) if isinstance(last, Slice) else dict(last)
    content = tree["content"]
    blocks = content.items() if isinstance(content, Slice) else list(content)
    return [*items[:-1], {**tree, "content": [*blocks, *results]}]


def _is_thought(block: Any) -> bool:
    return block.get("type") in ("thinking", "redacted_thinking")


def _is_blank(block: Any) -> bool:
    text = block.get("text")
    return block.get("type") == "text" and isinstance(text, str) and not text.strip()


def _is_refused(block: Any) -> bool:
    """Tell a blank text, and a result that holds one."""
    if block.get("type") != "tool_result":
        return _is_blank(block)
    content = block.get("content")
    return isinstance(content, list) and any(map(_is_blank, content))


def _unblanked(block: Any) -> Any:
    """Return a result without blank texts; None for a blank text itself."""
    if plain(block)["type"] != "tool_result":
        return None
    content = block.child("content") if isinstance(block, Slice) else block["content"]
    parts = content.items() if isinstance(content, Slice) else content
    kept = [part for part in parts if not _is_blank(plain(part))]
    return with_members(block, content=kept or [dict(_FILLER)])


def _signed(member: Member) -> bool:
    return bool(member.message.extra.get("signature")) and "redacted" not in member.message.extra


def _parts(member: Member, history: History | None) -> list[Any]:
    origin = member.origin
    if history is not None and origin is not None:
        content = history.source.items[origin.item].child("content")
        if isinstance(content.value, list):
            return _from_blocks(member, [content.items()[number] for number in origin.part])
        return [{"type": "text", "text": member.shown}] if member.shown.strip() else []
    return _new_parts(member)


def _new_parts(member: Member) -> list[Any]:
    message = member.message
    if member.kind == "reasoning":
        signature = message.extra["signature"]
        return [{"type": "thinking", "thinking": member.text, "signature": signature}]
    if member.kind == "tool-call" and member.call_id:
        name = message.tool_name or "tool"
        return [
            {
                "type": "tool_use",
                "id": member.call_id,
                "name": name,
                "input": as_object(member.text),
            }
        ]
    if member.kind == "tool-result" and member.call_id:
        return [{"type": "tool_result", "tool_use_id": member.call_id, "content": member.shown}]
    return [{"type": "text", "text": member.shown}] if member.shown.strip() else []


def _from_blocks(member: Member, blocks: list[Slice]) -> list[Any]:
    if member.intact or member.kind == "reasoning":
        return list(blocks)
    if member.kind == "tool-call":
        changes: dict[str, Any] = {"id": member.call_id} if member.renamed else {}
        if member.changed:
            changes["input"] = as_object(member.text)
        return [patched(blocks[0], **changes)]
    if member.kind == "tool-result":
        changes = {"tool_use_id": member.call_id} if member.renamed else {}
        if member.changed or member.tag:
            changes["content"] = _texts(member, blocks[0].child("content"))
        return [patched(blocks[0], **changes)]
    return _retexted(member, blocks)


def _texts(member: Member, content: Slice) -> Any:
    if not isinstance(content.value, list):
        return member.shown
    return _retexted(member, content.items())


def _retexted(member: Member, blocks: Sequence[Slice]) -> list[Any]:
    """Write the tag into the first text block; a changed text takes the place of all."""
    out: list[Any] = []
    placed = False
    for block in blocks:
        text = block.value.get("text") if isinstance(block.value, Mapping) else None
        if not isinstance(text, str):
            out.append(block)
        elif not member.changed:
            out.append(
                block if placed or not member.tag else patched(block, text=member.tag + text)
            )
            placed = True
        elif not placed:
            placed = True
            if member.shown.strip():
                out.append(patched(block, text=member.shown))
    if member.changed and not placed and member.shown.strip():
        out.insert(0, {"type": "text", "text": member.shown})
    return out


def _message(role: str, parts: list[Any], source: Slice | None, members: Sequence[Member]) -> Any:  # noqa: ARG001
    content = parts or [{"type": "text", "text": BLANK}]
    if source is not None:
        return patched(source, content=content)
    return {"role": role, "content": content}


def _role(member: Member) -> str:
    return "assistant" if member.message.role == "assistant" else "user"


_SHAPE = Shape(_role, _parts, _message)
_FILLER = {"type": "text", "text": BLANK}
_FILLING = Filling("content", _FILLER, _is_thought, _is_refused, _unblanked)
