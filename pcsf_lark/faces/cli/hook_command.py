"""`pcsf hook`: what agents call so that state goes on by itself, and how they are told to.

The hooks themselves answer with exit code 0 whatever happens; `install` is for people,
and ends with 0 done, 1 refused, 2 a wrong call.
"""

from __future__ import annotations

import enum
import gc
import sys
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


_Cwd = Annotated[
    str, typer.Option("--cwd", metavar="DIR", help="The project's folder; default: this one.")
]
_Name = Annotated[str, typer.Option("--agent", metavar="NAME", help="Who calls, for the log.")]


@app.callback()
def _hook() -> None:
    """Let an agent hand state on by itself: draft and push at the end, the head at the start."""


_ANY = {"ignore_unknown_options": True, "allow_extra_args": True}


# Whatever an agent adds to the call, it must not end as a usage error: exit code 2 of
# a hook would block a compaction.
@app.command("claude-code", context_settings=_ANY)
def claude_code() -> None:
    """Answer an event of Claude Code, which it gives as JSON on standard input."""
    if sys.stdin.isatty():
        typer.echo(
            "pcsf: Claude Code calls this; `pcsf hook install claude-code` tells it", err=True
        )
        return
    from pcsf_lark.hooks.claude_code import serve  # noqa: PLC0415 - not for `install`

    gc.disable()  # a process of half a second; searching for its garbage is a tenth of that
    serve()


@app.command(context_settings=_ANY)
def start(*, cwd: _Cwd = "", agent: _Name = "hook") -> None:
    """Print the head for the next model, or nothing; for any agent's start."""
    from pcsf_lark.hooks import plain  # noqa: PLC0415 - likewise

    gc.disable()  # as above
    plain.start(agent, cwd)


@app.command(context_settings=_ANY)
def save(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The session's log.")] = "",
    *,
    cwd: _Cwd = "",
    agent: _Name = "hook",
    wait: Annotated[
        float,
        typer.Option(
            "--wait",
            metavar="S",
            min=0,
            max=60,
            clamp=True,
            help="Seconds, before it goes on by itself.",
        ),
    ] = 10.0,
) -> None:
    """Draft a log and push it, without a word; for any agent's end and compaction."""
    from pcsf_lark.hooks import plain  # noqa: PLC0415 - likewise

    plain.save(agent, log, cwd, wait)


@app.command()
def install(
    agent: Annotated[Agent, typer.Argument(help="Whom to tell; `other` is a recipe to read.")],
    *,
    printed: Annotated[
        bool, typer.Option("--print", help="Show the configuration; the default.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Merge it into the agent's settings.")
    ] = False,
    scope: Annotated[
        Scope, typer.Option("--scope", help="The project's settings, or the user's.")
    ] = Scope.project,
) -> None:
    """Tell an agent of its hooks."""
    from pcsf_lark.faces.cli.hook_install import told, written  # noqa: PLC0415 - for people alone

    if write and printed:
        typer.echo("pcsf: either --print or --write", err=True)
        raise typer.Exit(2)
    (written if write else told)(agent.value, scope.value)
