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
    """One piece: `kind` is user, text, reasoning, call, result or system.

    `hollow` tells an empty thing that its provider refuses.
    """

    kind: str
    call: str | None = None
    message: int = 0
    text: str = ""
    hollow: bool = False


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
    if shape == "gemini":
        return list(_gemini(items))
    reader = _READERS[shape]
    return [event for index, item in enumerate(items) for event in reader(index, item)]


_CORE = {"tool-call": "call", "tool-result": "result", "reasoning": "reasoning"}


def _core(view: Sequence[CoreMessage]) -> Iterable[Event]:
    for message in view:
        kind = _CORE.get(message.content_type)
        if kind is None:
            kind = message.role if message.role in ("user", "system") else "text"
        yield Event(kind, message.tool_call_id or None, 0, message.text or "")


def _is_blank(part: Any) -> bool:
    return part.get("type") == "text" and not part["text"].strip()


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
        if item.get("content") is not None:
            # An empty answer is one, and what a thought led to.
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
    if not content:
        yield Event(role, None, index, hollow=True)
    for block in content:
        kind = block["type"]
        if kind in ("thinking", "redacted_thinking"):
            yield Event("reasoning", None, index, block.get("thinking", ""))
        elif kind == "tool_use":
            yield Event("call", block["id"], index)
        elif kind == "tool_result":
            inner = block.get("content")
            hollow = isinstance(inner, list) and any(map(_is_blank, inner))
            yield Event("result", block["tool_use_id"], index, _words(inner), hollow=hollow)
        else:
            yield Event(role, None, index, block.get("text", kind))


def _gemini(items: Sequence[Mapping[str, Any]]) -> Iterable[Event]:
    """Read contents; a response without an id answers the first open call of its name."""
    open_calls: list[tuple[str, str]] = []
    for index, item in enumerate(items):
        for part in item["parts"]:
            if "functionCall" in part:
                call = part["functionCall"]
                open_calls.append((call["name"], call.get("id") or call["name"]))
                yield Event("call", open_calls[-1][1], index)
            elif "functionResponse" in part:
                answered = _answered(part["functionResponse"], open_calls)
                yield Event("result", answered[1], index)
                open_calls = [found for found in open_calls if found is not answered]
            else:
                yield from _gemini_words(index, item, part)


def _answered(
    response: Mapping[str, Any], open_calls: Sequence[tuple[str, str]]
) -> tuple[str, str]:
    name = (response["name"], response.get("id") or response["name"])
    by_id = bool(response.get("id"))
    fitting = [found for found in open_calls if found[by_id] == name[by_id]]
    return next((found for found in fitting if found == name), fitting[0] if fitting else name)


def _gemini_words(index: int, item: Mapping[str, Any], part: Mapping[str, Any]) -> Iterable[Event]:
    if part.get("thought"):
        yield Event("reasoning", None, index, part.get("text", ""))
    else:
        role = "text" if item.get("role") == "model" else "user"
        yield Event(role, None, index, part.get("text", "part"))


def _pi(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    role = item["role"]
    if not isinstance(role, str):
        raise TypeError("a role is a text")
    if role == "toolResult":
        yield Event("result", item["toolCallId"], index, _words(item["content"]))
    elif role == "assistant":
        content = item["content"] or ""
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
    "pi": _pi,
}
