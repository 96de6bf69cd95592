"""At the end of a session, and before a compaction: its log drafted and pushed."""

from __future__ import annotations

import stat
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pcsf_lark.hooks.scene import Scene
    from pcsf_lark.relay import Window

__all__ = ["LARGEST", "BadLog", "save"]

#: Bytes of a log, at most.
LARGEST = 256 << 20
#: Seconds: how long a log must have been left alone, and how long that is waited for.
_QUIET, _PATIENCE = 0.2, 2.0


class BadLog(Exception):  # noqa: N818 - it becomes a line of the journal
    """A path that holds no log to be read; says why."""


def save(log: Path, scene: Scene) -> str:
    """Draft a log and push it; gives what is to be noted. Raises what drafting and pushing raise."""
    _settled(log)
    # A log that is not there needs none of it.
    from pcsf_lark.hooks.starting import kept  # noqa: PLC0415
    from pcsf_lark.relay import read_push  # noqa: PLC0415

    with scene.repository() as relay:
        window = relay.push(read_push(str(log), kind="log"))
        kept(relay)
        return _told(window)


def _settled(log: Path) -> None:
    """Wait, within bounds, until nobody has just written to the log; raises BadLog."""
    until = time.monotonic() + _PATIENCE
    before = _size(log)
    while before[1] > time.time() - _QUIET and time.monotonic() < until:
        time.sleep(_QUIET / 4)
        before = _size(log)


def _size(log: Path) -> tuple[int, float]:
    try:
        status = log.stat()
    except (OSError, ValueError) as error:
        raise BadLog(f"{log}: {getattr(error, 'strerror', None) or error}") from None
    if not stat.S_ISREG(status.st_mode):
        raise BadLog(f"{log}: is no plain file")
    if not status.st_size:
        raise BadLog(f"{log}: is empty")
    if status.st_size > LARGEST:
        raise BadLog(f"{log}: more than {LARGEST:,} bytes")
    return status.st_size, status.st_mtime


def _told(window: Window) -> str:
    number = window.cso.window_number
    if window.unchanged:
        return f"nothing to do, {window.unchanged}; still window {number}"
    notes = window.notes
    counts = f"{window.added} new, {window.known} known, {len(notes.dropped)} lines dropped"
    return f"window {number}: {counts}, {len(notes.withheld)} withheld, {len(notes.absent)} absent"
