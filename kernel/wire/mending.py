"""Items that no provider would take, made into ones it takes, before anything reads them.

Laws: an item of the right kinds is left alone, byte for byte; what has the wrong kind is
replaced by the nearest thing of the right one or left out, never guessed at; a call
without a usable id gets one, and the next result without one is its answer.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from kernel.text import repair

__all__ = ["Mender"]

_ROLES: Final = frozenset({"user", "assistant", "system", "developer", "tool", "function"})
_SPEAKERS: Final = _ROLES - {"assistant"}
_THOUGHTS: Final = ("reasoning_content", "reasoning")
_TEXT_OUTPUTS: Final = frozenset(
    {"function_call_output", "custom_tool_call_output", "local_shell_call_output"}
)
#: Kinds of parts whose text must be one.
_TEXTS: Final = {
    "text": "text",
    "thinking": "thinking",
    "input_text": "text",
    "output_text": "text",
}


class Mender:
    """Mends the items of one document, in order."""

    def __init__(self, key: str) -> None:
        """Start on a document whose items lie under `key`."""
        self._key = key
        self._made = 0
        self._waiting: list[str] = []

    def mended(self, item: Any) -> Any:
        """Return an item as it is, a mended one, or None where it is no item at all."""
        if not isinstance(item, Mapping):
            return self._said(item) if isinstance(item, str) else None
        out = dict(item) if _encodable(item) else _repaired(item)
        if self._key == "contents":
            _force(out, "parts", list, lambda _: [])
            out["parts"] = self._parts(out["parts"], _gemini_part)
            if not isinstance(out.get("role", "user"), str):
                out["role"] = "user"
            return out
        if self._key == "input" and self._is_item(out):
            return out
        self._message(out)
        return out

    def _said(self, text: str) -> dict[str, Any]:
        if self._key == "contents":
            return {"role": "user", "parts": [{"text": repair(text)}]}
        return {"role": "user", "content": repair(text)}

    def _is_item(self, out: dict[str, Any]) -> bool:
        """Mend an item of Responses that is no message; tell whether it is one."""
        kind = out.get("type")
        if not isinstance(kind, str):
            if not isinstance(out.get("role"), str):
                out["content"] = _spelled(dict(out))
            if "type" in out:
                out["type"] = "message"
            return False
        if kind == "message":
            return False
        if kind.endswith(("function_call", "custom_tool_call")):
            self._name_call(out, "call_id")
            _force(out, "name", str, lambda _: "tool")
        elif kind.endswith("_call_output"):
            if kind != "local_shell_call_output" or not _named(out, "id"):
                self._name_result(out, "call_id")
            if kind in _TEXT_OUTPUTS:
                _force(out, "output", (str, list), _spelled)
        return True

    def _message(self, out: dict[str, Any]) -> None:
        role = out.get("role")
        known = isinstance(role, str) and role != ""
        if not known or (self._key == "messages" and self._is_stranger(out)):
            out["role"] = "user"
        if out["role"] in _SPEAKERS or self._key == "input":
            out.setdefault("content", "")
        if out.get("content") is not None:
            _force(out, "content", (str, list), _spelled)
        if isinstance(out.get("content"), list):
            out["content"] = self._parts(out["content"], self._part)
        for key in _THOUGHTS:
            if key in out and not isinstance(out[key], str | None):
                del out[key]
        if "tool_calls" in out and out["tool_calls"] is not None:
            _force(out, "tool_calls", list, lambda _: [])
            out["tool_calls"] = [self._call(c) for c in out["tool_calls"] if isinstance(c, Mapping)]
        if role in ("tool", "toolResult"):
            self._name_result(out, "tool_call_id" if role == "tool" else "toolCallId")
        for key in ("name", "toolName"):
            if key in out and not isinstance(out[key], str):
                del out[key]

    @staticmethod
    def _is_stranger(out: Mapping[str, Any]) -> bool:
        """Tell a message that only speaks, in a role that no wire has."""
        return out["role"] not in _ROLES and len(out["role"]) < 2

    def _parts(self, parts: list[Any], mend: Callable[[Any], Any]) -> list[Any]:
        found = [mend(part) for part in parts]
        return [part for part in found if part is not None]

    def _part(self, part: Any) -> Any:
        if isinstance(part, str):
            return {"type": "text", "text": part} if part else None
        if not isinstance(part, Mapping):
            return None
        kind = part.get("type")
        if not isinstance(kind, str) or not kind:
            text = part.get("text")
            return {"type": "text", "text": text} if isinstance(text, str) else None
        if kind in _TEXTS and not isinstance(part.get(_TEXTS[kind]), str):
            return None
        out = dict(part)
        if kind in ("tool_use", "toolCall"):
            self._name_call(out, "id")
            _force(out, "name", str, lambda _: "tool")
        elif kind == "tool_result":
            self._name_result(out, "tool_use_id")
            if out.get("content") is not None:
                _force(out, "content", (str, list), _spelled)
        return out

    def _call(self, call: Mapping[str, Any]) -> dict[str, Any]:
        out = dict(call)
        self._name_call(out, "id")
        inner = "custom" if out.get("type") == "custom" else "function"
        _force(out, inner, Mapping, lambda _: {})
        detail = out[inner] = dict(out[inner])
        _force(detail, "name", str, lambda _: "tool")
        _force(detail, "input" if inner == "custom" else "arguments", str, _spelled)
        return out

    def _name_call(self, out: dict[str, Any], key: str) -> None:
        if _named(out, key):
            return
        self._made += 1
        out[key] = f"unnamed_{self._made}"
        self._waiting.append(out[key])

    def _name_result(self, out: dict[str, Any], key: str) -> None:
        if _named(out, key):
            return
        self._made += 1
        out[key] = self._waiting.pop(0) if self._waiting else f"unnamed_{self._made}"


def _named(out: dict[str, Any], key: str) -> bool:
    """Tell whether an id is there; a number is spelled as one."""
    name = out.get(key)
    if isinstance(name, int) and not isinstance(name, bool):
        out[key] = str(name)
        return True
    return isinstance(name, str) and name != ""


def _force(out: dict[str, Any], key: str, kind: Any, other: Callable[[Any], Any]) -> None:
    if not isinstance(out.get(key), kind):
        out[key] = other(out.get(key))


def _spelled(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _gemini_part(part: Any) -> Any:
    if isinstance(part, str):
        return {"text": part}
    if not isinstance(part, Mapping):
        return None
    if "text" in part and not isinstance(part["text"], str):
        return None
    out = dict(part)
    for key in ("functionCall", "functionResponse"):
        if key in out:
            if not isinstance(out[key], Mapping):
                return None
            detail = out[key] = dict(out[key])
            _force(detail, "name", str, lambda _: "tool")
            if "id" in detail and not _named(detail, "id"):
                del detail["id"]
    return out


def _encodable(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _repaired(value: Any) -> Any:
    if isinstance(value, str):
        return repair(value)
    if isinstance(value, Mapping):
        return {repair(key): _repaired(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_repaired(item) for item in value]
    return value
