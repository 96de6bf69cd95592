"""OpenAI chat completions → core messages."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from kernel.wire.history import Builder, History, flat_text
from kernel.wire.source import read_source

__all__ = ["FORMAT", "THINK", "decode"]

FORMAT = "openai"
THINK = re.compile(
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
        elif value.get("role") == "assistant":
            legacy = _assistant(build, index, value) or legacy
        else:
            _other(build, index, value, legacy)
    return build.history()


def _other(build: Builder, index: int, value: Mapping[str, Any], legacy: str) -> None:
    """Read a message that is not the assistant's."""
    role, content = value.get("role"), value.get("content")
    text, extra = flat_text(content, _TEXTS), _pictures(content)
    if role in ("system", "developer"):
        if build.empty:
            build.system(index, text)
        else:
            build.add(index, "content", "system", "text", text)
    elif role in ("tool", "function"):
        call = value.get("tool_call_id") or (legacy if role == "function" else None)
        name = value.get("name")
        build.add(index, "content", "tool", "tool-result", text, tool=name, call=call, extra=extra)
    else:
        build.add(index, "content", "user", "text", text, extra=extra)


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
        found = THINK.match(content)
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
