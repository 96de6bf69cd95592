"""`pcsf hook claude-code`, `start` and `save`: what agents call so that state goes on by itself.

They end with exit code 0 whatever happens.
"""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

__all__ = ["claude_code", "save", "start"]

_Cwd = Annotated[
    str,
    typer.Option(
        "--cwd",
        metavar="DIR",
        help="Take this folder for the project's. Default: this one.",
        show_default=False,
    ),
]
_Name = Annotated[str, typer.Option("--agent", metavar="NAME", help="Say who calls, for the log.")]


def claude_code() -> None:
    """Answer an event of Claude Code, which it gives as JSON on standard input.

    Examples:
        # See what Claude Code is told when a session starts.
        echo '{"hook_event_name": "SessionStart", "cwd": "."}' | pcsf hook claude-code
        #=> {"hookSpecificOutput": ...
    """
    if sys.stdin.isatty():
        typer.echo(
            "pcsf: Claude Code calls this; `pcsf hook install claude-code` tells it", err=True
        )
        return
    from pcsf_lark.hooks.claude_code import serve

    gc.disable()  # a process of half a second; searching for its garbage is a tenth of that
    serve()


def start(*, cwd: _Cwd = "", agent: _Name = "hook") -> None:
    """Print the head for the next model, or nothing; for any agent's start.

    Examples:
        # Tell a model where the last session left off.
        pcsf hook start --agent mine
        #=> What follows is the saved state of earlier sessions on this work, ...
    """
    from pcsf_lark.hooks import plain

    gc.disable()  # as above
    plain.start(agent, cwd)


def save(
    log: Annotated[
        str,
        typer.Argument(
            metavar="[LOG]", help="The session's log. Default: none, and nothing is saved."
        ),
    ] = "",
    *,
    cwd: _Cwd = "",
    agent: _Name = "hook",
    wait: Annotated[
        float,
        typer.Option(
            "--wait",
            metavar="SECONDS",
            min=0,
            max=60,
            clamp=True,
            help="Wait so long for the push, before it goes on by itself.",
        ),
    ] = 10.0,
) -> None:
    """Draft a log and push it, without a word; for any agent's end and compaction.

    Examples:
        # Hand on what a session knew, at its end.
        pcsf hook save session.jsonl --agent mine
    """
    from pcsf_lark.hooks import plain

    plain.save(agent, log, cwd, wait)
