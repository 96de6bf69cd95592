"""Views of every shape read into the same events, for the checker.

Law: reading only: no shape is mended here, and no code is shared with the wires.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from kernel.model import CoreMessage

__all__ = ["Event", "events_of"]


@frozen
class Event:
    """One piece: `kind` is user, text, reasoning, call, result or system."""

    kind: str
    call: str | None = None
    message: int = 0
    text: str = ""


def events_of(shape: str, view: Any) -> list[Event]:
    """Read a view of a shape into events."""
    if shape == "core":
        return list(_core(view))
    items = view
    if isinstance(view, Mapping):
        key = {"responses": "input", "gemini": "contents"}.get(shape, "messages")
        items = view[key]
    if isinstance(items, str):
        return [Event("user", text=items)]
    reader = _READERS[shape]
    return [event for index, item in enumerate(items) for event in reader(index, item)]


_CORE = {"tool-call": "call", "tool-result": "result", "reasoning": "reasoning"}


def _core(view: Sequence[CoreMessage]) -> Iterable[Event]:
    for message in view:
        kind = _CORE.get(message.content_type)
        if kind is None:
            kind = message.role if message.role in ("user", "system") else "text"
        yield Event(kind, message.tool_call_id or None, 0, message.text or "")


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False) if content else ""


def _openai(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    role = item["role"]
    if role == "assistant":
        thought = item.get("reasoning_content") or item.get("reasoning")
        if thought:
            yield Event("reasoning", None, index, thought)
        if item.get("content"):
            yield Event("text", None, index, _words(item["content"]))
        for call in item.get("tool_calls") or ():
            yield Event("call", call["id"], index)
        if item.get("function_call"):
            yield Event("call", "function", index)
    elif role in ("tool", "function"):
        yield Event("result", item.get("tool_call_id", "function"), index, _words(item["content"]))
    else:
        yield Event("user" if role == "user" else "system", None, index, _words(item["content"]))


def _responses(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    kind = item.get("type", "message")
    if kind == "message":
        role = item["role"]
        name = {"assistant": "text", "user": "user"}.get(role, "system")
        yield Event(name, None, index, _words(item["content"]))
    elif kind == "reasoning":
        yield Event("reasoning", None, index)
    elif kind.endswith("_output"):
        yield Event("result", item["call_id"], index, _words(item["output"]))
    elif kind.endswith("_call") and "call_id" in item:
        yield Event("call", item["call_id"], index)
    else:
        yield Event("text", None, index, kind)


def _anthropic(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    role = "text" if item["role"] == "assistant" else item["role"]
    content = item["content"]
    if isinstance(content, str):
        yield Event(role, None, index, content)
        return
    for block in content:
        kind = block["type"]
        if kind in ("thinking", "redacted_thinking"):
            yield Event("reasoning", None, index, block.get("thinking", ""))
        elif kind == "tool_use":
            yield Event("call", block["id"], index)
        elif kind == "tool_result":
            yield Event("result", block["tool_use_id"], index, _words(block.get("content")))
        else:
            yield Event(role, None, index, block.get("text", kind))


def _gemini(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    role = "text" if item.get("role") == "model" else "user"
    for part in item["parts"]:
        if "functionCall" in part:
            yield Event(
                "call", part["functionCall"].get("id") or part["functionCall"]["name"], index
            )
        elif "functionResponse" in part:
            response = part["functionResponse"]
            yield Event("result", response.get("id") or response["name"], index)
        elif part.get("thought"):
            yield Event("reasoning", None, index, part.get("text", ""))
        else:
            yield Event(role, None, index, part.get("text", "part"))


def _pi(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    role = item["role"]
    if not isinstance(role, str):
        raise TypeError("a role is a text")
    if role == "toolResult":
        yield Event("result", item["toolCallId"], index, _words(item["content"]))
    elif role == "assistant":
        content = item["content"]
        for part in content if isinstance(content, list) else ({"type": "text", "text": content},):
            kind = {"thinking": "reasoning", "toolCall": "call"}.get(part["type"], "text")
            text = part.get("text") or part.get("thinking") or ""
            yield Event(kind, part.get("id") if kind == "call" else None, index, text)
    else:
        name = "system" if role == "system" else "user"
        yield Event(name, None, index, _words(item.get("content", "")))


_READERS = {
    "openai": _openai,
    "responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "pi": _pi,
}
