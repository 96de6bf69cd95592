"""Logs a long-lived process has open: read again only where they have changed.

Law: what is handed out is what opening the log anew would give. A log that grew, settings
that changed, and every log with a parent session, whose file is another, are opened anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from kernel.projection.planning.facts import FactsMemory
from pcsf_lark.faces.aili.log import opened
from pcsf_lark.faces.aili.settings import settings_of

if TYPE_CHECKING:
    from pcsf_lark.faces.aili.log import Given, Opened

__all__ = ["LIMIT", "Known"]

#: Branches that are kept open.
LIMIT: Final = 4

_Mark = tuple[int, int, int, int, int]


class Known:
    """The branches used last."""

    def __init__(self) -> None:
        self._memory = FactsMemory()
        self._open: dict[Given, tuple[_Mark, Opened]] = {}

    def opened(self, given: Given) -> Opened:
        """Open a log, or give the one that is open; raises Trouble."""
        mark = _mark(given.path)
        known = self._open.pop(given, None)
        if known is None or known[0] != mark or not _holds(known[1]):
            known = mark, opened(given, memory=self._memory)
        if known[1].tree.parent_session is None:
            self._open[given] = known
            if len(self._open) > LIMIT:
                del self._open[next(iter(self._open))]
        return known[1]


def _mark(path: str) -> _Mark:
    """What changes with a file; taken before it is read, so that a change is never missed."""
    try:
        seen = Path(path).stat()
    except (OSError, ValueError):
        return (-1, -1, -1, -1, -1)
    return (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


def _holds(now: Opened) -> bool:
    return settings_of(now.given.config, now.tree.header.get("cwd")) == now.settings
