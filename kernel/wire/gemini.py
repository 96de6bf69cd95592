"""Gemini contents ↔ core messages.

Function calls and responses often carry no id here: a response then answers the first
open call of its name in the model's last content. Thoughts are reasoning; a thought
signature on a call stays with its part.
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
from kernel.wire.source import Slice, compact, patched, plain, read_source
from kernel.wire.turns import Shape, entries_of, first_role_fixed, rendered

__all__ = ["NAMES", "decode", "encode"]

FORMAT = "gemini"
NAMES = Names()
#: How the ids begin that calls without one are given; they never go out.
_OURS = "gemini_"
_OPENING = {"role": "user", "parts": [{"text": "(The conversation goes on.)"}]}


def decode(body: Any, ids: Callable[[int], str | None] | None = None) -> History:
    """Read a generateContent body (object or list, value or JSON text)."""
    source = read_source(body, ("contents",))
    build = Builder(FORMAT, source, ids)
    root = source.root.value if isinstance(source.root.value, Mapping) else {}
    system = root.get("systemInstruction") or root.get("system_instruction")
    if isinstance(system, Mapping):
        build.system_parts.append(flat_text(system.get("parts")))
    waiting: list[tuple[str, str]] = []
    for index, item in enumerate(source.items):
        value = (
            item.value
            if isinstance(item.value, Mapping)
            else {"parts": [{"text": flat_text(item.value)}]}
        )
        role = "assistant" if value.get("role") == "model" else "user"
        parts = value.get("parts")
        _parts_in(build, index, role, parts if isinstance(parts, list) else [], waiting)
    return build.history()


def _is_picture(part: Mapping[str, Any]) -> bool:
    return "inlineData" in part or "fileData" in part


def _parts_in(
    build: Builder, index: int, role: str, parts: Sequence[Any], waiting: list[tuple[str, str]]
) -> None:
    reader = PartReader(build, index, role, parts, _is_picture)
    if any(isinstance(part, Mapping) and "functionCall" in part for part in parts):
        waiting.clear()
    for number, part in enumerate(parts):
        value = part if isinstance(part, Mapping) else {}
        call, response = value.get("functionCall"), value.get("functionResponse")
        if isinstance(call, Mapping):
            name = str(call.get("name") or "")
            call_id = call.get("id") or f"{_OURS}{index}_{number}"
            waiting.append((name, call_id))
            reader.call(number, compact(call.get("args", {})), name, call_id)
        elif isinstance(response, Mapping):
            name = str(response.get("name") or "")
            # One that answers nothing must not be taken for a message without a call.
            call_id = response.get("id") or _answered(waiting, name) or f"none_{index}_{number}"
            reader.result(number, _response_text(response), name, call_id)
        elif value.get("thought") is True:
            reader.reasoning(number, value.get("text"), value.get("thoughtSignature"))
        else:
            reader.other(number)
    reader.finish()


def _answered(waiting: list[tuple[str, str]], name: str) -> str | None:
    fitting = [entry for entry in waiting if entry[0] == name]
    if not fitting:
        return None
    # A call with an id is answered by it, if its host gives ids at all.
    entry = next((found for found in fitting if found[1].startswith(_OURS)), fitting[0])
    waiting.remove(entry)
    return entry[1]


def _response_text(response: Mapping[str, Any]) -> str:
    body = response.get("response")
    if isinstance(body, Mapping) and len(body) == 1:
        only = next(iter(body.values()))
        if isinstance(only, str):
            return only
    return compact(body)


def encode(view: Sequence[CoreMessage], history: History | None) -> Any:
    """Return a body as a tree: the source's with its contents replaced, or a new one."""
    same = history is not None and history.format == FORMAT
    members = members_of(view, history, NAMES, same=same)
    own = history if same else None
    items = rendered(entries_of(members, _SHAPE), own, part_counts(own), _SHAPE)
    open_calls = last_open(grouped(members, None, same=False))
    if open_calls:
        results = [_new_response(call, OPEN_RESULT) for call in open_calls]
        items = _closed(items, results)
    items = filled(items, _FILLING)
    items = first_role_fixed(items, lambda item: plain(item).get("role"), _OPENING)
    if same and history is not None:
        return history.source.rebuilt(items)
    tree: dict[str, Any] = {"contents": items}
    if history is not None and history.system_parts:
        tree["systemInstruction"] = {"parts": [{"text": "\n\n".join(history.system_parts)}]}
    return tree


def _closed(items: list[Any], results: list[Any]) -> list[Any]:
    last = items[-1] if items else None
    if last is None or plain(last).get("role") == "model":
        return [*items, {"role": "user", "parts": results}]
    tree = dict(last.members()) if isinstance(last, Slice) else dict(last)
    parts = tree["parts"]
    kept = parts.items() if isinstance(parts, Slice) else list(parts)
    return [*items[:-1], {**tree, "parts": [*kept, *results]}]


def _parts(member: Member, history: History | None) -> list[Any]:
    origin = member.origin
    if history is None or origin is None:
        return _new_parts(member)
    parts = history.source.items[origin.item].child("parts").items()
    return _from_parts(member, [parts[number] for number in origin.part])


def _new_parts(member: Member) -> list[Any]:
    if member.kind == "reasoning":
        return [{"text": member.text, "thought": True}] if member.text.strip() else []
    if member.kind == "tool-call" and member.call_id:
        call: dict[str, Any] = {
            "name": member.message.tool_name or "tool",
            "args": as_object(member.text),
        }
        if not member.call_id.startswith(_OURS):
            call["id"] = member.call_id
        return [{"functionCall": call}]
    if member.kind == "tool-result" and member.call_id:
        return [_new_response(member, member.shown)]
    return [{"text": member.shown}] if member.shown.strip() else []


def _new_response(member: Member, text: str) -> dict[str, Any]:
    response: dict[str, Any] = {
        "name": member.message.tool_name or "tool",
        "response": {"output": text},
    }
    if member.call_id and not member.call_id.startswith(_OURS):
        response["id"] = member.call_id
    return {"functionResponse": response}


def _from_parts(member: Member, parts: list[Slice]) -> list[Any]:
    if member.intact or member.kind == "reasoning":
        return list(parts)
    if member.kind == "tool-call":
        call = parts[0].child("functionCall")
        changes: dict[str, Any] = {"id": member.call_id} if member.renamed else {}
        if member.changed:
            changes["args"] = as_object(member.text)
        return [patched(parts[0], functionCall=patched(call, **changes))]
    if member.kind == "tool-result":
        return [
            patched(parts[0], functionResponse=_retold(member, parts[0].child("functionResponse")))
        ]
    out: list[Any] = []
    placed = False
    for part in parts:
        text = part.value.get("text") if isinstance(part.value, Mapping) else None
        if not isinstance(text, str):
            out.append(part)
        elif not member.changed:
            out.append(part if placed or not member.tag else patched(part, text=member.tag + text))
            placed = True
        elif not placed and member.shown.strip():
            out.append(patched(part, text=member.shown))
            placed = True
    return out


def _retold(member: Member, response: Slice) -> Any:
    """Write a text into a response; one that is no single text takes no tag."""
    body = response.child("response")
    only = list(body.value) if isinstance(body.value, Mapping) else []
    key = only[0] if len(only) == 1 and isinstance(body.value[only[0]], str) else None
    changes: dict[str, Any] = {"id": member.call_id} if member.renamed else {}
    if member.changed or (key is not None and member.tag):
        changes["response"] = {key or "output": member.shown}
    return patched(response, **changes) if changes else response


def _message(role: str, parts: list[Any], source: Slice | None, members: Sequence[Member]) -> Any:  # noqa: ARG001
    content = parts or [{"text": BLANK}]
    if source is not None:
        return patched(source, parts=content)
    return {"role": role, "parts": content}


def _role(member: Member) -> str:
    return "model" if member.message.role == "assistant" else "user"


def _is_thought(part: Any) -> bool:
    return part.get("thought") is True and "functionCall" not in part


_SHAPE = Shape(_role, _parts, _message)
_FILLING = Filling("parts", {"text": BLANK}, _is_thought)
