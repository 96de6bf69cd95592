"""`pcsf hook install`: the configuration shown, or merged into an agent's settings."""

from __future__ import annotations

from pathlib import Path

import typer

from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.hooks import agents
from pcsf_lark.hooks.settings_file import Refused, merge_settings, put_file

__all__ = ["told", "written"]


def told(agent: str, scope: str) -> None:
    """Show what stands in an agent's settings, and on stderr where that is."""
    text = agents.shown(agent, agents.command(scope))
    if agent != agents.OTHER:
        say(f"pcsf: for {agents.place(agent, scope, Path())}", err=True)
    say(text.removesuffix("\n"))


def written(agent: str, scope: str) -> None:
    """Merge it; exits 1 where that would lose something."""
    if agent == agents.OTHER:
        usage_error("`other` is a recipe; there is nothing to write")
    pcsf, path = agents.command(scope), agents.place(agent, scope, Path())
    try:
        if agent == "claude-code":
            changed = merge_settings(path, pcsf)
        else:
            changed = put_file(path, agents.shown(agent, pcsf))
    except Refused as error:
        say(f"pcsf: {error}", err=True)
        raise typer.Exit(1) from None
    say(f"{path}: {'written' if changed else 'nothing to do'}")
    if scope == "project" and not agents.is_found():
        say(
            "pcsf: warning: the hook calls `pcsf`, which is not on the PATH here, so it would do"
            " nothing; put it there, or use --scope user, which writes the whole path",
            err=True,
        )
    if not (Path() / ".pcsf").is_dir() and scope == "project":
        say("`pcsf relay init` begins the relay here; until then the hooks are silent")
