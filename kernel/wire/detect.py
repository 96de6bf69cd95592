"""Telling the wires apart by their bodies."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["detect"]

_ANTHROPIC_BLOCKS: Final = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"}
)
_PI_ROLES: Final = frozenset(
    {"toolResult", "bashExecution", "branchSummary", "compactionSummary", "custom"}
)


def detect(body: Any) -> str | None:
    """Name the wire of a body: openai, responses, anthropic, gemini, pi; None if it is none."""
    if isinstance(body, list):
        return _of_messages(body, {}) if body else None
    if not isinstance(body, Mapping):
        return None
    if isinstance(body.get("input"), list):
        return "responses"
    contents = body.get("contents")
    if isinstance(contents, list) and any(
        isinstance(c, Mapping) and "parts" in c for c in contents
    ):
        return "gemini"
    messages = body.get("messages")
    return _of_messages(messages, body) if isinstance(messages, list) else None


def _of_messages(messages: list[Any], body: Mapping[str, Any]) -> str | None:
    if "system" in body or "anthropic_version" in body:
        return "anthropic"
    for message in messages:
        if not isinstance(message, Mapping):
            continue
        role = message.get("role")
        if isinstance(role, str) and role in _PI_ROLES:
            return "pi"
        if "parts" in message and "content" not in message:
            return "gemini"
        if message.get("type") in ("function_call", "function_call_output", "reasoning"):
            return "responses"
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, Mapping):
                kind = str(block.get("type"))
                if kind == "toolCall":
                    return "pi"
                if kind == "thinking" and "thinkingSignature" in block:
                    return "pi"
                if kind in _ANTHROPIC_BLOCKS or (kind == "text" and "cache_control" in block):
                    return "anthropic"
    return "openai"
