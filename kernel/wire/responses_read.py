"""OpenAI Responses items → core messages."""

from collections.abc import Callable, Mapping
from typing import Any

from kernel.wire.history import Builder, History, flat_text
from kernel.wire.source import read_source

__all__ = ["FORMAT", "decode"]

FORMAT = "responses"
_TEXTS = ("text", "refusal", "input_text", "output_text")
_OUTPUT = "_output"
_IMAGES = ("input_image", "computer_screenshot")
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
    elif kind.endswith(_OUTPUT) and _answers(item):
        build.add(
            index,
            kind,
            "tool",
            "tool-result",
            _output_text(item),
            call=_answers(item),
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


def _answers(item: Mapping[str, Any]) -> Any:
    """Return the call an output answers; a local shell's may name it by its own id."""
    own = item.get("id") if item.get("type") == "local_shell_call_output" else None
    return item.get("call_id") or own


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
    parts = content if isinstance(content, list) else [content]
    count = sum(isinstance(part, Mapping) and part.get("type") in _IMAGES for part in parts)
    return {"images": count} if count else {}


def _output_text(item: Mapping[str, Any]) -> str:
    return flat_text(item.get("output"), _TEXTS)
