"""OpenAI Responses items ↔ core messages, one item a message.

Items of types unknown here, hosted tool calls included, are opaque assistant content:
they stay where they are, fold like any other and are never written into. Items with a
role and no type are messages. The leading system and developer run is the prompt.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kernel.model import CoreMessage
from kernel.wire.assemble import OPEN_RESULT, Member, Names, grouped, last_open, members_of
from kernel.wire.history import Builder, History, flat_text
from kernel.wire.source import Slice, patched, read_source

__all__ = ["NAMES", "decode", "encode"]

FORMAT = "responses"
NAMES = Names(longest=64)
_TEXTS = ("text", "refusal", "input_text", "output_text")
_OUTPUT = "_output"
# Calls that run at the provider and hold their own result.
_HOSTED = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_call",
    }
)


def decode(body: Any, ids: Callable[[int], str | None] | None = None) -> History:
    """Read a Responses body: `input` may be a text or a list of items."""
    value = body if isinstance(body, Mapping) else None
    source = read_source(body, ("input",))
    root = source.root.value if isinstance(source.root.value, Mapping) else value
    build = Builder(FORMAT, source, ids)
    if root is not None:
        instructions = root.get("instructions")
        if isinstance(instructions, str) and instructions.strip():
            build.system_parts.append(instructions)
        if isinstance(root.get("input"), str):
            build.add(-1, "input", "user", "text", root["input"])
            return build.history()
    for index, item in enumerate(source.items):
        entry = item.value
        _item(
            build,
            index,
            entry if isinstance(entry, Mapping) else {"role": "user", "content": flat_text(entry)},
        )
    return build.history()


def _item(build: Builder, index: int, item: Mapping[str, Any]) -> None:
    kind = item.get("type") or ("message" if "role" in item else "unknown")
    if kind == "message":
        _message(build, index, item)
    elif kind == "reasoning":
        text = flat_text(item.get("content"), _TEXTS) or flat_text(item.get("summary"), _TEXTS)
        sealed = {"signature": item["encrypted_content"]} if item.get("encrypted_content") else {}
        build.add(
            index, kind, "assistant", "reasoning", text or str(item.get("id") or ""), extra=sealed
        )
    elif kind.endswith(_OUTPUT) and item.get("call_id"):
        build.add(
            index,
            kind,
            "tool",
            "tool-result",
            _output_text(item),
            call=item["call_id"],
            extra=_pictures(item.get("output")),
        )
    elif kind.endswith("_call") and item.get("call_id") and kind not in _HOSTED:
        text = next(
            (item[key] for key in ("arguments", "input") if isinstance(item.get(key), str)), ""
        )
        if kind == "custom_tool_call":
            build.custom.append(item["call_id"])
        build.add(
            index,
            kind,
            "assistant",
            "tool-call",
            text,
            tool=item.get("name") or kind,
            call=item["call_id"],
        )
    else:
        build.add(index, kind, "assistant", "text", f"[{kind}]", extra={"opaque": True})


def _message(build: Builder, index: int, item: Mapping[str, Any]) -> None:
    role = item.get("role")
    text = flat_text(item.get("content"), _TEXTS)
    if role in ("system", "developer"):
        if build.empty:
            build.system(index, text)
            return
        role = "system"
    role = role if role in ("assistant", "system") else "user"
    build.add(index, "message", role, "text", text, extra=_pictures(item.get("content")))


def _pictures(content: Any) -> dict[str, Any]:
    parts = content if isinstance(content, list) else []
    count = sum(isinstance(part, Mapping) and part.get("type") == "input_image" for part in parts)
    return {"images": count} if count else {}


def _output_text(item: Mapping[str, Any]) -> str:
    return flat_text(item.get("output"), _TEXTS)


def encode(view: Sequence[CoreMessage], history: History | None) -> Any:
    """Return a body as a tree: the source's with its items replaced, or a new one."""
    same = history is not None and history.format == FORMAT
    members = members_of(view, history, NAMES, same=same)
    items: list[Any] = []
    if same and history is not None:
        items.extend(history.source.items[index] for index in history.system_items)
    else:
        members = [member for member in members if member.kind != "reasoning"]
    items += [_encoded(member, history if same else None) for member in members]
    for call in last_open(grouped(members, None, same=False)):
        kind = "custom_tool_call_output" if _is_custom(call) else "function_call_output"
        items.append({"type": kind, "call_id": call.call_id, "output": OPEN_RESULT})
    if same and history is not None:
        if isinstance(history.source.root.value, Mapping) and isinstance(
            history.source.root.value.get("input"), str
        ):
            return _of_text(items, members, history)
        return history.source.rebuilt(items)
    tree: dict[str, Any] = {"input": items}
    if history is not None and history.system_parts:
        tree["instructions"] = "\n\n".join(history.system_parts)
    return tree


def _of_text(items: list[Any], members: Sequence[Member], history: History) -> Any:
    """Return a body whose input was one text: the text itself where it is all there is."""
    if len(members) == 1 and members[0].intact:
        return history.source.root
    return patched(history.source.root, input=items)


def _is_custom(member: Member) -> bool:
    return member.origin is not None and member.origin.part == "custom_tool_call"


def _encoded(member: Member, history: History | None) -> Any:
    origin = member.origin
    if history is None or origin is None or origin.item < 0:
        return _new(member)
    item = history.source.items[origin.item]
    if member.intact or member.kind == "reasoning" or member.message.extra.get("opaque"):
        return item
    changes: dict[str, Any] = {"call_id": member.call_id} if member.renamed else {}
    if member.kind == "tool-call":
        if member.changed:
            key = "input" if "input" in item.value else "arguments"
            changes[key] = member.text
    elif member.kind == "tool-result":
        if isinstance(item.value.get("output"), list):
            changes["output"] = _retexted(member, item.child("output"))
        elif member.changed or member.tag:
            changes["output"] = member.shown
    elif isinstance(item.value.get("content"), list):
        changes["content"] = _retexted(member, item.child("content"))
    else:
        changes["content"] = member.shown
    return patched(item, **changes)


def _retexted(member: Member, content: Slice) -> list[Any]:
    out: list[Any] = []
    placed = False
    for part in content.items():
        value = part.value if isinstance(part.value, Mapping) else {}
        key = "text" if isinstance(value.get("text"), str) else "refusal"
        text = value.get(key)
        if not isinstance(text, str):
            out.append(part)
        elif not member.changed:
            out.append(
                part if placed or not member.tag else patched(part, **{key: member.tag + text})
            )
            placed = True
        elif not placed:
            out.append(patched(part, **{key: member.shown}))
            placed = True
    return out


def _new(member: Member) -> Any:
    message = member.message
    if member.kind == "tool-call" and member.call_id:
        return {
            "type": "function_call",
            "call_id": member.call_id,
            "name": message.tool_name or "tool",
            "arguments": member.text or "{}",
        }
    if member.kind == "tool-result" and member.call_id:
        return {"type": "function_call_output", "call_id": member.call_id, "output": member.shown}
    role = message.role if message.role in ("assistant", "system") else "user"
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": member.shown}]}
