"""`pcsf hook install`: the configuration shown, or merged into an agent's settings."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import say, tell, usage_error
from pcsf_lark.hooks import agents
from pcsf_lark.hooks.settings_file import Refused, merge_settings, put_file

__all__ = ["install"]


class Agent(enum.StrEnum):
    """The agents that are known."""

    claude_code = "claude-code"
    pi = "pi"
    opencode = "opencode"
    other = "other"


class Scope(enum.StrEnum):
    """Whose settings are meant."""

    project = "project"
    user = "user"


def install(
    agent: Annotated[
        Agent,
        typer.Argument(
            metavar="AGENT", help="claude-code, pi, opencode; or other, a recipe for any."
        ),
    ],
    *,
    printed: Annotated[
        bool,
        typer.Option("--print", help="Show the configuration, and write nothing; the default."),
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Merge the configuration into the agent's settings.")
    ] = False,
    scope: Annotated[
        Scope, typer.Option("--scope", help="Take the project's settings, or the user's.")
    ] = Scope.project,
) -> None:
    """Tell an agent of its hooks: show what stands in its settings, or write it there.

    Examples:
        # See what would stand in the settings of Claude Code.
        pcsf hook install claude-code
        #=> {
        # Write it there, for this project.
        pcsf hook install claude-code --write
        #=> .claude/settings.json: written
    """
    if write and printed:
        usage_error("give either --print or --write")
    (_written if write else _told)(agent.value, scope.value)


def _told(agent: str, scope: str) -> None:
    """Show what stands in an agent's settings, and on stderr where that is."""
    text = agents.shown(agent, agents.command(scope))
    if agent != agents.OTHER:
        tell(f"pcsf: for {agents.place(agent, scope, Path())}", err=True)
    say(text.removesuffix("\n"))


def _written(agent: str, scope: str) -> None:
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
        tell(f"pcsf: {error}", err=True)
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
