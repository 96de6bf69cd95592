"""Claude Code's settings with our hooks in them: a pure function of settings.

    {"hooks": {EVENT: [{"hooks": [{"type": "command", "command": …, "timeout": …}]}]}}

Laws: everything else stays; merged twice is merged once; settings of another shape than
this are refused, not mended.
"""

from __future__ import annotations

import shlex
from copy import deepcopy
from typing import Any

__all__ = ["EVENTS", "Unmergeable", "merged"]

#: The events, and seconds after which the agent ends the hook; the one of SessionEnd also
#: raises the second and a half that all hooks of that event share.
EVENTS = {"SessionStart": 10, "PreCompact": 20, "SessionEnd": 20}
_OURS = "hook claude-code"


class Unmergeable(Exception):  # noqa: N818 - a refusal
    """Settings that cannot be merged without losing something: where, and why."""


def merged(settings: dict[str, Any], pcsf: tuple[str, ...]) -> dict[str, Any]:
    """The settings with our hooks; raises Unmergeable. ``pcsf`` is how it is called."""
    found = deepcopy(settings)
    hooks = found.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise Unmergeable("`hooks` is no object")
    line = f"{shlex.join(pcsf)} {_OURS}"
    for event, seconds in EVENTS.items():
        groups = hooks.setdefault(event, [])
        if not isinstance(groups, list):
            raise Unmergeable(f"`hooks.{event}` is no list")
        ours = [entry for group in groups for entry in _entries(event, group) if _is_ours(entry)]
        for entry in ours:
            entry["command"] = line
        if not ours:
            entry = {"type": "command", "command": line, "timeout": seconds}
            groups.append({"hooks": [entry]})
    return found


def _entries(event: str, group: Any) -> list[dict[str, Any]]:
    inner = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(inner, list) or not all(isinstance(entry, dict) for entry in inner):
        raise Unmergeable(f"`hooks.{event}` holds what is no group of hooks")
    return inner


def _is_ours(entry: dict[str, Any]) -> bool:
    line = entry.get("command")
    if not isinstance(line, str) or not line.rstrip().endswith(_OURS):
        return False
    return "pcsf" in line
