"""The editor's process: whether it is still there.

Laws of this file: an editor that dies takes its server with it, even where some
other process holds the pipe between them open. A process that cannot be seen
from the start (an editor outside a container) is not waited for.
"""

from __future__ import annotations

import asyncio
import os

__all__ = ["alive", "outlived"]

#: Seconds between two looks.
_EVERY = 2.0


def alive(process: int) -> bool:
    """Whether there is such a process, as far as can be told."""
    if os.name != "posix":  # elsewhere the question would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


async def outlived(process: int) -> None:
    """Wait until a process has ended."""
    while alive(process):  # noqa: ASYNC110 - nothing tells when a process ends
        await asyncio.sleep(_EVERY)
