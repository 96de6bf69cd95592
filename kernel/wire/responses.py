"""OpenAI Responses items ↔ core messages, one item a message.

Items of types unknown here, hosted tool calls included, are opaque assistant content:
they stay where they are, fold like any other and are never written into. Items with a
role and no type are messages. The leading system and developer run is the prompt. An
item keeps its id unless the provider would refuse it: one that repeats, or one of an
answer whose reasoning is gone.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kernel.model import CoreMessage
from kernel.wire.assemble import OPEN_RESULT, Member, grouped, last_open, members_of
from kernel.wire.filling import with_members
from kernel.wire.history import History
from kernel.wire.names import Names
from kernel.wire.responses_read import FORMAT, decode
from kernel.wire.source import Slice, patched, plain

__all__ = ["NAMES", "decode", "encode"]

NAMES = Names(longest=64)
# A picture where none has been taken yet: one white pixel.
_PIXEL: Final = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEA"
    "sTj2FAAAAABJRU5ErkJggg=="
)
# What closes a call that waits, where the provider wants more than a text.
_OPEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "computer_call": {"output": {"type": "computer_screenshot", "image_url": _PIXEL}},
    "shell_call": {
        "output": [{"stdout": OPEN_RESULT, "stderr": "", "outcome": {"type": "timeout"}}]
    },
    "apply_patch_call": {"status": "failed", "output": OPEN_RESULT},
}


def encode(view: Sequence[CoreMessage], history: History | None) -> Any:
    """Return a body as a tree: the source's with its items replaced, or a new one."""
    same = history is not None and history.format == FORMAT
    members = members_of(view, history, NAMES, same=same)
    items: list[Any] = []
    if same and history is not None:
        items.extend(history.source.items[index] for index in history.system_items)
    else:
        members = [member for member in members if member.kind != "reasoning"]
    unled = _unled(members, history) if same and history is not None else set()
    for member in members:
        item = _encoded(member, history if same else None)
        is_unled = member.origin is not None and member.origin.item in unled
        items.append(with_members(item, id=None) if is_unled else item)
    items += map(_open_output, last_open(grouped(members, None, same=False)))
    items = _once_named(items)
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


def _open_output(call: Member) -> dict[str, Any]:
    """Return the output that closes an open call, of the kind its call demands."""
    kind = call.origin.part if call.origin is not None else "function_call"
    return {
        "type": f"{kind}_output",
        "call_id": call.call_id,
        **_OPEN.get(kind, {"output": OPEN_RESULT}),
    }


def _once_named(items: Sequence[Any]) -> list[Any]:
    """Return the items with each id on the first that bears it."""
    seen: set[str] = set()
    out: list[Any] = []
    for item in items:
        name = (item.value if isinstance(item, Slice) else item).get("id")
        name = plain(name)
        if isinstance(name, str) and name in seen:
            item = with_members(item, id=None)  # noqa: PLW2901 - the item as it goes out
        elif isinstance(name, str):
            seen.add(name)
        out.append(item)
    return out


def _unled(members: Sequence[Member], history: History) -> set[int]:
    """Return the source items whose reasoning is gone: their ids would ask for it."""
    shown = {member.origin.item for member in members if member.origin is not None}
    found: set[int] = set()
    lost = False
    for index, item in enumerate(history.source.items):
        kind = item.value.get("type", "message")
        if kind == "reasoning":
            lost = index not in shown
        elif kind.endswith("_output") or item.value.get("role", "assistant") != "assistant":
            lost = False
        elif lost:
            found.add(index)
    return found


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
        elif isinstance(item.value.get("output"), str):
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
