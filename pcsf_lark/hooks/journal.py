"""The hooks' own log: `.pcsf/hook.log`, one line an event, bounded.

    journal = Journal("claude-code")
    journal.folder = Path(".pcsf")
    journal.note("SessionEnd: window 4, 12 new")

Laws: noting never raises and never makes a folder; at 64 KiB the file becomes
`hook.old.log`, the one before that is gone; a line is printable and short; the file is
its owner's alone, and what stands at its place and is no plain file is left alone.
PCSF_HOOK_LOG names another file, for where there is no `.pcsf`.
"""

from __future__ import annotations

import contextlib
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

__all__ = ["LARGEST", "NAME", "OLD", "VARIABLE", "Journal"]

NAME, OLD = "hook.log", "hook.old.log"
#: The environment's variable that names another file.
VARIABLE = "PCSF_HOOK_LOG"
#: Bytes of the file, at most.
LARGEST = 64 * 1024
_LONGEST = 400
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT
_FLAGS |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class Journal:
    """Where an agent's events are noted; ``folder`` is set when it is known."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.folder: Path | None = None

    def note(self, text: str) -> None:
        """Add a line, if there is a place for it."""
        with contextlib.suppress(OSError, ValueError):
            path = self._path()
            if path is not None:
                _append(path, _line(self.agent, text))

    def failed(self, doing: str, error: BaseException) -> None:
        """Note what went wrong while doing something."""
        told = str(error).split("\n", 1)[0]
        self.note(f"{doing}: {type(error).__name__}: {told}")

    def _path(self) -> Path | None:
        named = os.environ.get(VARIABLE)
        if named:
            return Path(named)
        return self.folder / NAME if self.folder is not None else None


def _line(agent: str, text: str) -> bytes:
    when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    shown = "".join(one if one.isprintable() else " " for one in f"{agent} {text}")
    if len(shown) > _LONGEST:
        shown = shown[: _LONGEST - 3] + "..."
    return f"{when} {shown}\n".encode("utf-8", "replace")


def _append(path: Path, line: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        status = path.lstat()
        if stat.S_ISREG(status.st_mode) and status.st_size + len(line) > LARGEST:
            path.replace(path.with_name(OLD))
    handle = os.open(path, _FLAGS, 0o600)
    try:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            os.write(handle, line)
    finally:
        os.close(handle)
