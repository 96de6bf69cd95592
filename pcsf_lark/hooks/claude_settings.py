"""Claude Code's settings with our hooks in them: a pure function of settings.

    {"hooks": {EVENT: [{"hooks": [{"type": "command", "command": …, "timeout": …}]}]}}

Laws: everything else stays; merged twice is merged once; settings of another shape than
this are refused, not mended.
"""

from __future__ import annotations

import shlex
from copy import deepcopy
from pathlib import PurePath
from typing import Any

__all__ = ["EVENTS", "Unmergeable", "merged"]

#: The events, and seconds after which the agent ends the hook; the one of SessionEnd also
#: raises the second and a half that all hooks of that event share.
EVENTS = {"SessionStart": 10, "PreCompact": 20, "SessionEnd": 20}
_OURS = "hook claude-code"
_NAMES = frozenset({"pcsf", "pcsf.exe", "pcsf_lark"})
#: What stands between an interpreter's name and the module's.
_MODULE = frozenset({"-P", "-m"})
#: What makes more of a line than one call.
_SHELL = frozenset("&|;<>`$\n()")


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
        rows = [entry for group in groups for entry in _entries(event, group)]
        ours = [entry for entry in rows if _calls_us(entry)]
        # One that is spelled in another way was written by hand, and does what it should.
        for entry in ours:
            if _is_ours(entry):
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


def _calls_us(entry: dict[str, Any]) -> bool:
    """Whether a command is a call of this hook and nothing else, however it is spelled."""
    line = entry.get("command")
    try:
        words = shlex.split(line) if isinstance(line, str) else []
    except ValueError:
        return False
    if words[-2:] != _OURS.split() or _SHELL.intersection(line or ""):
        return False
    *rest, name = words[:-2] or [""]
    return PurePath(name).name in _NAMES and _MODULE.issuperset(rest[1:])


def _is_ours(entry: dict[str, Any]) -> bool:
    """Whether a command is one that this program writes, by any path."""
    words = shlex.split(entry["command"]) if _calls_us(entry) else []
    return len(words) == 3 or words[1:-3] in (["-m"], ["-P", "-m"])
