"""Pi messages ↔ core messages.

User, assistant and toolResult messages; bash executions, custom messages and the two
kinds of summaries are user text. A thinking part keeps its signature. What the user
kept from the model (`excludeFromContext`) is not in the history at all.
"""

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
from kernel.wire.filling import Filling, filled
from kernel.wire.history import Builder, History, flat_text
from kernel.wire.names import Names
from kernel.wire.parts import PartReader
from kernel.wire.source import Slice, compact, patched, read_source
from kernel.wire.turns import Shape, entries_of, rendered

__all__ = ["NAMES", "decode", "encode", "user_text"]

FORMAT = "pi"
NAMES = Names()
_SUMMARIES = {"branchSummary": "branch", "compactionSummary": "compaction"}


def decode(body: Any, ids: Callable[[int], str | None] | None = None) -> History:
    """Read Pi messages (a list, or an object with `messages`; value or JSON text)."""
    source = read_source(body, ("messages",))
    build = Builder(FORMAT, source, ids)
    for index, item in enumerate(source.items):
        value = (
            item.value
            if isinstance(item.value, Mapping)
            else {"role": "user", "content": flat_text(item.value)}
        )
        role = value.get("role")
        if role == "assistant":
            _assistant(build, index, value.get("content"))
        elif role == "toolResult":
            text = flat_text(value.get("content"))
            build.add(
                index,
                None,
                "tool",
                "tool-result",
                text,
                tool=value.get("toolName"),
                call=value.get("toolCallId"),
                extra=_pictures(value.get("content")),
            )
        elif role == "system":
            if build.empty:
                build.system(index, flat_text(value.get("content")))
            else:
                build.add(index, None, "system", "text", flat_text(value.get("content")))
        elif not value.get("excludeFromContext"):
            build.add(
                index, None, "user", "text", user_text(value), extra=_pictures(value.get("content"))
            )
    return build.history()


def user_text(value: Mapping[str, Any]) -> str:
    """Return what a model reads of a message that counts as the user's."""
    role = value.get("role")
    if role == "bashExecution":
        tail = f"\n(exit code {value.get('exitCode')})" if value.get("exitCode") else ""
        return f"$ {value.get('command', '')}\n{value.get('output', '')}{tail}"
    if role in _SUMMARIES:
        return f"[Summary of an earlier {_SUMMARIES[str(role)]}]\n{value.get('summary', '')}"
    return flat_text(value.get("content"))


def _is_picture(part: Mapping[str, Any]) -> bool:
    return part.get("type") == "image"


def _pictures(content: Any) -> dict[str, Any]:
    parts = content if isinstance(content, list) else []
    count = sum(isinstance(part, Mapping) and _is_picture(part) for part in parts)
    return {"images": count} if count else {}


def _assistant(build: Builder, index: int, content: Any) -> None:
    parts = content if isinstance(content, list) else [{"type": "text", "text": flat_text(content)}]
    reader = PartReader(build, index, "assistant", parts, _is_picture)
    for number, part in enumerate(parts):
        kind = part.get("type") if isinstance(part, Mapping) else None
        if kind == "thinking":
            hidden = {"redacted": True} if part.get("redacted") else {}
            reader.reasoning(number, part.get("thinking"), part.get("thinkingSignature"), **hidden)
        elif kind == "toolCall":
            text = compact(part.get("arguments", {}))
            reader.call(number, text, part.get("name"), part.get("id"))
        else:
            reader.other(number)
    reader.finish()


def encode(view: Sequence[CoreMessage], history: History | None) -> Any:
    """Return a body as a tree: the source's with its messages replaced, or a new one."""
    same = history is not None and history.format == FORMAT
    members = members_of(view, history, NAMES, same=same)
    own = history if same else None
    items: list[Any] = []
    if own is not None:
        items.extend(own.source.items[index] for index in own.system_items)
    elif history is not None and history.system_parts:
        items.append({"role": "system", "content": "\n\n".join(history.system_parts)})
    items += filled(rendered(entries_of(members, _SHAPE), own, part_counts(own), _SHAPE), _FILLING)
    items += [_result(call, OPEN_RESULT) for call in last_open(grouped(members, None, same=False))]
    if own is not None:
        return own.source.rebuilt(items)
    return {"messages": items}


def _result(member: Member, text: str) -> dict[str, Any]:
    return {
        "role": "toolResult",
        "toolCallId": member.call_id,
        "toolName": member.message.tool_name or "tool",
        "content": [{"type": "text", "text": text}],
        "isError": False,
    }


def _parts(member: Member, history: History | None) -> list[Any]:
    origin = member.origin
    if history is not None and origin is not None:
        item = history.source.items[origin.item]
        content = item.child("content")
        if origin.part is not None and isinstance(content.value, list):
            return _from_parts(member, [content.items()[number] for number in origin.part])
        if member.kind == "tool-result":
            return [member]
        if isinstance(content.value, list) and item.value.get("role") in ("user", "custom"):
            return _retexted(member, content.items())
    return _new_parts(member)


def _new_parts(member: Member) -> list[Any]:
    message = member.message
    if member.kind == "tool-result" and member.call_id:
        return [member]
    if member.kind == "reasoning":
        part: dict[str, Any] = {"type": "thinking", "thinking": member.text}
        if message.extra.get("signature"):
            part["thinkingSignature"] = message.extra["signature"]
        return [part]
    if member.kind == "tool-call" and member.call_id:
        name = message.tool_name or "tool"
        return [
            {
                "type": "toolCall",
                "id": member.call_id,
                "name": name,
                "arguments": as_object(member.text),
            }
        ]
    return [{"type": "text", "text": member.shown or BLANK}]


def _from_parts(member: Member, parts: list[Slice]) -> list[Any]:
    if member.intact or member.kind == "reasoning":
        return list(parts)
    if member.kind == "tool-call":
        changes: dict[str, Any] = {"id": member.call_id} if member.renamed else {}
        if member.changed:
            changes["arguments"] = as_object(member.text)
        return [patched(parts[0], **changes)]
    return _retexted(member, parts)


def _retexted(member: Member, parts: Sequence[Slice]) -> list[Any]:
    out: list[Any] = []
    placed = False
    for part in parts:
        text = part.value.get("text") if isinstance(part.value, Mapping) else None
        if not isinstance(text, str):
            out.append(part)
        elif not member.changed:
            out.append(part if placed or not member.tag else patched(part, text=member.tag + text))
            placed = True
        elif not placed:
            out.append(patched(part, text=member.shown))
            placed = True
    if member.changed and not placed:
        out.insert(0, {"type": "text", "text": member.shown})
    return out


def _message(role: str, parts: list[Any], source: Slice | None, members: Sequence[Member]) -> Any:
    if role == "toolResult":
        return _result_message(members[0], source)
    if source is not None and source.value.get("role") == role:
        return patched(source, content=parts)
    return {"role": role, "content": parts}


def _result_message(member: Member, source: Slice | None) -> Any:
    if source is None:
        return _result(member, member.shown)
    changes: dict[str, Any] = {"toolCallId": member.call_id} if member.renamed else {}
    content = source.child("content")
    if isinstance(content.value, list):
        changes["content"] = _retexted(member, content.items())
    else:
        changes["content"] = [{"type": "text", "text": member.shown}]
    return patched(source, **changes)


def _role(member: Member) -> str:
    if member.kind == "tool-result" and member.call_id:
        return "toolResult"
    return "assistant" if member.message.role == "assistant" else "user"


def _apart(member: Member) -> bool:
    return member.kind == "tool-result"


def _is_thought(part: Any) -> bool:
    return bool(part.get("type") == "thinking")


_SHAPE = Shape(_role, _parts, _message, _apart)
_FILLING = Filling("content", {"type": "text", "text": BLANK}, _is_thought, never_empty=False)
