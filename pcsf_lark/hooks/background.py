"""Drafting and pushing in a process of its own, which the agent's end does not end.

A hook at the end of a session is given a second and a half, and is killed with its agent.
So the work is done by a process in a session of its own, without any of the agent's
streams; the hook waits for it as long as it may, and leaves it to finish.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pcsf_lark

if TYPE_CHECKING:
    from pcsf_lark.hooks.journal import Journal
    from pcsf_lark.hooks.scene import Scene

__all__ = ["begin"]

#: `-P` keeps modules of the project's folder from being taken for Python's.
_PYTHON = ("-P", "-c")
_CODE = """\
import sys
sys.path.insert(0, sys.argv[1])
from pcsf_lark.hooks.work import main
main()
"""


def begin(event: str, log: str, scene: Scene, journal: Journal, wait: float) -> None:
    """Begin to save a log, and wait for it at most so many seconds."""
    package = Path(pcsf_lark.__file__).resolve().parent.parent
    task = {"agent": journal.agent, "event": event, "log": log, "start": str(scene.start)}
    # The streams are no one's, or the agent would wait for their end.
    worker = subprocess.Popen(  # noqa: S603 - this interpreter, and code of this module
        [sys.executable, *_PYTHON, _CODE, str(package)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=scene.start,
        start_new_session=True,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0)
        | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    if worker.stdin is not None:
        with contextlib.suppress(OSError), worker.stdin as stream:
            stream.write(json.dumps(task).encode())
    try:
        worker.wait(wait)
    except subprocess.TimeoutExpired:
        # Ended without a wait, it would be warned of.
        worker.returncode = 0
        if wait:
            journal.note(f"{event}: still at work after {wait:g} s, left to finish")
