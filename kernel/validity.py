"""The checker: would a provider take this view?

One set of laws for every shape. Each shape is first read into events (who speaks, what
kind, which call, in which host message), then judged alike: every call answered in its
own turn, every result called, sibling calls together, reasoning directly before its
answer, a user turn where the input had one, never empty; on wires that demand it, unique
call ids, a user first, no system message in the list. Law: the checker shares no code
with the stages and wires it judges.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from kernel.model import CoreMessage

__all__ = ["DEMANDS", "Demands", "Event", "Violation", "check", "events_of", "judge"]


@frozen
class Event:
    """One piece: `kind` is user, text, reasoning, call, result or system."""

    kind: str
    call: str | None = None
    message: int = 0
    text: str = ""


@frozen
class Violation:
    """A law broken, at the index of an event."""

    code: str
    at: int
    detail: str = ""


@frozen
class Demands:
    """What a shape adds to the laws all share."""

    open_end: bool = False
    unique_calls: bool = False
    user_first: bool = False
    no_system: bool = False
    whole_messages: bool = False
    no_blank: bool = False


DEMANDS: Final[Mapping[str, Demands]] = {
    "core": Demands(open_end=True),
    "openai": Demands(whole_messages=True),
    "responses": Demands(),
    "anthropic": Demands(
        unique_calls=True, user_first=True, no_system=True, whole_messages=True, no_blank=True
    ),
    "gemini": Demands(user_first=True, no_system=True, whole_messages=True),
    "pi": Demands(whole_messages=True),
}


def check(
    shape: str, view: Any, *, had_input: bool = True, had_user: bool = False
) -> list[Violation]:
    """Judge a view: core messages, or a body of a wire as a value."""
    return judge(events_of(shape, view), DEMANDS[shape], had_input=had_input, had_user=had_user)


def judge(
    events: Sequence[Event], demands: Demands, *, had_input: bool = True, had_user: bool = False
) -> list[Violation]:
    """Judge events by the laws and the shape's demands."""
    found = list(_turns(events, demands))
    found += _reasoning(events, demands)
    kinds = {event.kind for event in events}
    if had_input and not events:
        found.append(Violation("EMPTY", 0))
    if had_user and "user" not in kinds:
        found.append(Violation("USER_LOST", 0))
    if demands.no_system and "system" in kinds:
        found.append(Violation("SYSTEM_IN_LIST", 0))
    if demands.user_first and events and events[0].kind not in ("user", "system", "result"):
        found.append(Violation("NOT_USER_FIRST", 0))
    calls = [event.call for event in events if event.kind == "call"]
    if demands.unique_calls and len(set(calls)) != len(calls):
        found.append(Violation("CALL_ID_TWICE", 0, str(calls)))
    for at, event in enumerate(events):
        if demands.no_blank and event.kind in ("user", "text") and not event.text.strip():
            found.append(Violation("BLANK_TEXT", at))
        if not _encodable(event.text):
            found.append(Violation("LONE_SURROGATE", at))
    return found


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _turns(events: Sequence[Event], demands: Demands) -> Iterable[Violation]:
    """Judge calls and results: a call is answered before anybody else speaks."""
    waiting: dict[str, list[int]] = {}
    caller = -1
    answering = False

    def unanswered() -> Iterable[Violation]:
        for call, places in waiting.items():
            yield from (Violation("CALL_UNANSWERED", place, call) for place in places)
        waiting.clear()

    for at, event in enumerate(events):
        if event.kind == "result":
            if event.call is None:
                continue
            places = waiting.get(event.call)
            if not places:
                yield Violation("RESULT_UNCALLED", at, event.call)
                continue
            places.pop()
            if not places:
                del waiting[event.call]
            answering = True
        elif event.kind in ("user", "system"):
            yield from unanswered()
            answering = False
        else:
            split = demands.whole_messages and waiting and event.message != caller
            if answering or split:
                yield from unanswered()
                answering = False
            if event.kind == "call" and event.call is not None:
                waiting.setdefault(event.call, []).append(at)
                caller = event.message
    if not demands.open_end:
        yield from unanswered()


def _reasoning(events: Sequence[Event], demands: Demands) -> Iterable[Violation]:
    for at, event in enumerate(events):
        if event.kind != "reasoning":
            continue
        follower = events[at + 1] if at + 1 < len(events) else None
        if follower is None or follower.kind not in ("reasoning", "text", "call"):
            yield Violation("REASONING_ALONE", at)
        elif demands.whole_messages and follower.message != event.message:
            yield Violation("REASONING_PARTED", at)


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
    elif "call_id" in item:
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
            yield Event("call", part["functionCall"].get("id") or part["functionCall"]["name"], index)
        elif "functionResponse" in part:
            response = part["functionResponse"]
            yield Event("result", response.get("id") or response["name"], index)
        elif part.get("thought"):
            yield Event("reasoning", None, index, part.get("text", ""))
        else:
            yield Event(role, None, index, part.get("text", "part"))


def _pi(index: int, item: Mapping[str, Any]) -> Iterable[Event]:
    role = item["role"]
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
