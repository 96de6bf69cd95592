"""Telling session logs apart by their first objects."""

from collections.abc import Mapping
from typing import Any

__all__ = ["detect_document", "detect_line"]

_PI_ENTRIES = ("message", "model_change", "thinking_level_change", "compaction", "custom")


def detect_line(value: Any) -> str | None:
    """Name the format of a line-based log by one of its objects, None if it is none."""
    if not isinstance(value, Mapping):
        return None
    kind = value.get("type")
    if kind == "session" and "id" in value:
        return "pi"
    if "instance_id" in value and "history" in value:
        return "openhands-output"
    if "sessionId" in value or "parentUuid" in value or "isSidechain" in value:
        return "claude-code"
    if kind in ("summary", "file-history-snapshot", "queue-operation", "progress"):
        return "claude-code"
    if kind in _PI_ENTRIES and ("parentId" in value or isinstance(value.get("message"), Mapping)):
        return "pi"  # one whose header is torn or lost
    if "payload" in value or kind in ("session_meta", "response_item", "turn_context"):
        return "codex"
    return None


def detect_document(value: Any) -> str:
    """Name the format of a whole document."""
    if isinstance(value, Mapping):
        if "instance_id" in value and isinstance(value.get("history"), list):
            return "openhands-output"
        if isinstance(value.get("history"), list) and ("trajectory" in value or "info" in value):
            return "sweagent"
        if isinstance(value.get("trajectory"), list) and "messages" not in value:
            return "sweagent"
        return "chat"
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        first = value[0]
        if ("action" in first or "observation" in first) and "role" not in first:
            return "openhands"
    return "chat"
