"""Claude Code's hook: its events as JSON on standard input, its answer on standard output.

| event | what is done | answer |
|---|---|---|
| SessionStart (startup, resume, clear, compact, fork) | the head is handed in | additionalContext |
| PreCompact (manual, auto) | the transcript is drafted and pushed | none |
| SessionEnd (clear, resume, logout, prompt_input_exit, other) | likewise | none |

Other events are passed over: a turn's end (Stop) would draft the whole transcript each turn.
Law: an answer is one JSON object or nothing; never a decision, never an exit code but 0,
for a PreCompact hook could block the compaction by either.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from pcsf_lark.hooks.deadline import Deadline
from pcsf_lark.hooks.journal import Journal
from pcsf_lark.hooks.scene import scene_of
from pcsf_lark.hooks.stdin import BadInput, read_object, text_of

if TYPE_CHECKING:
    from pcsf_lark.hooks.scene import Scene

__all__ = ["AGENT", "Event", "read_event", "serve"]

AGENT = "claude-code"
#: Seconds for reading the event and answering a start, and for waiting on a push.
_START, _WAIT, _SPARE = 8.0, 10.0, 3.0
_WHY = {"SessionStart": "source", "PreCompact": "trigger", "SessionEnd": "reason"}


@frozen
class Event:
    """What is used of an event; texts are empty where it has none."""

    name: str
    why: str
    log: str
    cwd: str

    @property
    def shown(self) -> str:
        """The event for the log."""
        return f"{self.name} {self.why}"[:80].strip()


def read_event(value: dict[str, Any]) -> Event:
    """The event of an agent's JSON; raises BadInput for one without a name."""
    name = text_of(value, "hook_event_name")
    if not name:
        raise BadInput("an event without hook_event_name")
    why = text_of(value, _WHY[name]) if name in _WHY else ""
    return Event(name, why, text_of(value, "transcript_path"), text_of(value, "cwd"))


def serve() -> None:
    """Answer the event on standard input. Raises nothing, and ends in time."""
    journal = Journal(AGENT)
    with Deadline(_START, journal) as deadline:
        doing = "hook"
        try:
            # Already before there is an event: what cannot be read is noted, too.
            project = os.environ.get("CLAUDE_PROJECT_DIR", "")
            journal.folder = scene_of([project, "."]).folder
            event = read_event(read_object(0))
            doing = event.shown
            scene = scene_of([project, event.cwd, "."])
            journal.folder = scene.folder
            if scene.silent or event.name not in _WHY:
                return
            if event.name == "SessionStart":
                _start(event, scene, journal, deadline)
            elif not event.log:
                journal.note(f"{doing}: no transcript_path")
            else:
                from pcsf_lark.hooks.background import begin  # noqa: PLC0415 - not for a start

                deadline.move(_WAIT + _SPARE)
                log = Path(event.cwd, Path(event.log).expanduser())
                begin(doing, str(log), scene, journal, _WAIT)
        except BaseException as error:  # noqa: BLE001 - the law of this module
            journal.failed(doing, error)


def _start(event: Event, scene: Scene, journal: Journal, deadline: Deadline) -> None:
    from pcsf_lark.hooks.starting import context  # noqa: PLC0415 - a start alone needs it

    text = context(scene)
    if not text:
        journal.note(f"{event.shown}: nothing was pushed yet")
        return
    output = {"hookEventName": "SessionStart", "additionalContext": text}
    answer = json.dumps({"hookSpecificOutput": output}) + "\n"

    def write() -> None:
        sys.stdout.write(answer)
        sys.stdout.flush()

    deadline.last(write)
    journal.note(f"{event.shown}: {len(text)} characters of context")
