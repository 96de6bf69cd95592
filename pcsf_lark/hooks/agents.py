"""The agents that are known: where each looks for its hooks, and what stands there.

Claude Code reads commands from its settings; Pi and OpenCode load a file of JavaScript
from a folder. `other` is the recipe, for reading.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from pcsf_lark.hooks import claude_settings
from pcsf_lark.hooks.plain import RECIPE

__all__ = ["AGENTS", "OTHER", "SCOPES", "command", "is_found", "place", "shown"]

AGENTS = ("claude-code", "pi", "opencode")
OTHER = "other"
SCOPES = ("project", "user")

#: Folders below the project, and below the user's; an environment's variable moves the latter.
_PROJECT = {
    "claude-code": ".claude/settings.json",
    "pi": ".pi/extensions/pcsf.js",
    "opencode": ".opencode/plugins/pcsf.js",
}
_USER = {
    "claude-code": ("CLAUDE_CONFIG_DIR", ".claude", "settings.json"),
    "pi": ("PI_CODING_AGENT_DIR", ".pi/agent", "extensions/pcsf.js"),
    "opencode": ("OPENCODE_CONFIG_DIR", ".config/opencode", "plugins/pcsf.js"),
}
_PLACEHOLDER = 'const PCSF = ["pcsf"];'


def place(agent: str, scope: str, project: Path) -> Path:
    """The file that tells an agent of its hooks."""
    if scope == "project":
        return project / _PROJECT[agent]
    variable, folder, name = _USER[agent]
    moved = os.environ.get(variable)
    return (Path(moved).expanduser() if moved else Path.home() / folder) / name


def command(scope: str) -> tuple[str, ...]:
    """How `pcsf` is called: by name in settings that are shared, else by this interpreter.

    A name may mean another program elsewhere, and an agent that was begun from a desktop
    has another PATH: the user's own settings get the whole path.
    """
    if scope == "project":
        return ("pcsf",)
    return (sys.executable, "-P", "-m", "pcsf_lark")


def is_found() -> bool:
    """Whether the name `pcsf` is a program on this machine's PATH."""
    return shutil.which("pcsf") is not None


def shown(agent: str, pcsf: tuple[str, ...]) -> str:
    """What stands in that file, or is to be merged into it."""
    if agent == OTHER:
        return RECIPE
    if agent == "claude-code":
        return json.dumps(claude_settings.merged({}, pcsf), indent=2) + "\n"
    text = (Path(__file__).parent / f"{agent}.mjs").read_text("utf-8")
    return text.replace(_PLACEHOLDER, f"const PCSF = {json.dumps(list(pcsf))};", 1)
