"""The process that drafts and pushes behind an agent's back; see `background`."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from pcsf_lark.hooks.deadline import Deadline
from pcsf_lark.hooks.journal import Journal
from pcsf_lark.hooks.saving import save
from pcsf_lark.hooks.scene import scene_of
from pcsf_lark.hooks.starting import context
from pcsf_lark.hooks.stdin import read_object, text_of

__all__ = ["SECONDS", "main"]

#: The longest one log may take.
SECONDS = 300.0


def main() -> None:
    """Do the task on standard input: agent, event, log and start. Never raises."""
    journal = Journal("hook")
    with Deadline(SECONDS, journal):
        doing = "save"
        try:
            task = read_object(0)
            journal.agent, doing = text_of(task, "agent"), text_of(task, "event")
            scene = scene_of([text_of(task, "start")])
            journal.folder = scene.folder
            with contextlib.suppress(AttributeError, OSError):
                os.nice(5)
            journal.note(f"{doing}: {save(Path(text_of(task, 'log')), scene)}")
            context(scene)  # so that the next start has it at once
        except BaseException as error:  # noqa: BLE001 - there is nobody to raise to
            journal.failed(doing, error)
    os._exit(0)
