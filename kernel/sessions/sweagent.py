"""SWE-agent trajectories: the history, with tool calls or with actions in text.

In text mode an observation is a user message and is left one; a demonstration stays
where it stands.
"""

from collections.abc import Mapping
from typing import Any

from kernel.sessions.lines import Diagnostic
from kernel.sessions.log import Log
from kernel.wire import openai as wire

__all__ = ["read"]

FORMAT = "sweagent"


def read(document: Mapping[str, Any]) -> Log:
    """Read a trajectory document."""
    notes: list[Diagnostic] = []
    history = document.get("history")
    if not isinstance(history, list) or not history:
        history = _from_steps(document.get("trajectory"))
        notes.append(Diagnostic("NO_HISTORY", 0, "no history; rebuilt from the steps"))
    messages = [_message(item) for item in history if isinstance(item, Mapping)]
    return Log(FORMAT, wire.decode({"messages": messages}), notes, model=_model(document))


def _model(document: Mapping[str, Any]) -> str | None:
    info = document.get("info")
    name = info.get("model") if isinstance(info, Mapping) else None
    return name if isinstance(name, str) else None


def _message(item: Mapping[str, Any]) -> dict[str, Any]:
    role = item.get("role", "user")
    out: dict[str, Any] = {"role": role, "content": item.get("content")}
    if role == "assistant" and isinstance(item.get("tool_calls"), list) and item["tool_calls"]:
        out["tool_calls"] = item["tool_calls"]
    ids = item.get("tool_call_ids")
    if role == "tool":
        if isinstance(ids, list) and ids:
            out["tool_call_id"] = ids[0]
        elif isinstance(item.get("tool_call_id"), str):
            out["tool_call_id"] = item["tool_call_id"]
        else:
            out["role"] = "user"
    return out


def _from_steps(steps: Any) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, Mapping):
            out.append(
                {"role": "assistant", "content": step.get("response") or step.get("thought") or ""}
            )
            out.append({"role": "user", "content": step.get("observation") or ""})
    return out
