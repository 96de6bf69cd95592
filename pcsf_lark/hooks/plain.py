"""The two things any agent's hook can call: the head as text, and a log to be saved.

    pcsf hook start             prints the head for the next model, or nothing
    pcsf hook save LOG          drafts a log and pushes it, prints nothing

Pi's extension and OpenCode's plugin are made of them, and so is the recipe for others.
The law is that of all hooks: exit code 0, no complaint, a line in `.pcsf/hook.log`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pcsf_lark.hooks.deadline import Deadline
from pcsf_lark.hooks.journal import Journal
from pcsf_lark.hooks.scene import scene_of

__all__ = ["RECIPE", "WAIT", "save", "start"]

#: Seconds a save is waited for, where nothing else is said, and seconds for a start.
WAIT = 10.0
_START, _SPARE = 8.0, 3.0

RECIPE = """\
Three lines carry state through any agent that can run a command:

1. Once in the project's folder:    pcsf relay init
2. When a session starts:           pcsf hook start
   Give the agent what it prints as context. It prints nothing where there is none.
3. When a session ends, and before its context is compacted:
                                    pcsf hook save LOG
   LOG is the session's log: Pi, Claude Code, SWE-agent, OpenHands, Codex, or a JSON list
   of chat messages with role and content.

Both take --cwd DIR for another folder than the current one, and --agent NAME for the log.
Both end with exit code 0 whatever happens, and say in .pcsf/hook.log what happened.
An agent that can be told to run a command at its start and end needs nothing else:

    pcsf hook start > .context.md; agent --context .context.md; pcsf hook save session.jsonl
"""


def start(agent: str, cwd: str = "") -> None:
    """Print the head for the next model. Raises nothing, and ends in time."""
    journal = Journal(agent)
    with Deadline(_START, journal) as deadline:
        try:
            scene = scene_of([cwd, "."])
            journal.folder = scene.folder
            if scene.silent:
                return
            from pcsf_lark.hooks.starting import context  # noqa: PLC0415 - not for silence

            text = context(scene)

            def write() -> None:
                sys.stdout.write(text)
                sys.stdout.flush()

            deadline.last(write)
            told = f"{len(text)} characters of context" if text else "nothing was pushed yet"
            journal.note(f"start: {told}")
        except BaseException as error:  # noqa: BLE001 - the law of this module
            journal.failed("start", error)


def save(agent: str, log: str, cwd: str = "", wait: float = WAIT) -> None:
    """Draft a log and push it, in the background after so many seconds. Raises nothing."""
    journal = Journal(agent)
    with Deadline(wait + _SPARE, journal):
        try:
            scene = scene_of([cwd, "."])
            journal.folder = scene.folder
            if not log:
                journal.note("save: no log was named")
            elif not scene.silent:
                from pcsf_lark.hooks.background import begin  # noqa: PLC0415 - not for a start

                begin("save", str(Path(log).absolute()), scene, journal, wait)
        except BaseException as error:  # noqa: BLE001 - the law of this module
            journal.failed("save", error)
