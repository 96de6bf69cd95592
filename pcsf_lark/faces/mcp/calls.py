"""Calls at work: each in a thread, no more than a bounded number at once, none for ever.

Laws of this file: a call that nobody waits for any more is given up; one that takes too
long is, too, and told so; one that takes a while says that it is at work.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
from anyio import to_thread

from pcsf_lark.faces.mcp.bounds import CALLS, HELD, SECONDS, THREADS
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.stopping import Stopped, Work

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Tell = Callable[[float, float, str], Awaitable[None]]

__all__ = ["Calls"]


class _Outcome(NamedTuple):
    value: Any = None
    error: BaseException | None = None


class Calls:
    """What is at work, and what may be."""

    def __init__(self) -> None:
        self._count = 0
        self._held = 0

    @cached_property
    def _limiter(self) -> anyio.CapacityLimiter:
        return anyio.CapacityLimiter(THREADS)

    async def do(self, work: Callable[[], Any], size: int = 0, tell: Tell | None = None) -> Any:
        """What work gives, and what it raises; raises Refusal where too much is going on.

        ``size`` is that of the message that asked for it, ``tell`` takes its progress.
        """
        if self._count >= CALLS or (self._count and self._held + size > HELD):
            what = (
                f"{self._count} calls are at work or waiting already, {self._held:,} bytes of them"
            )
            raise Refusal(what, "send it again when one is answered", code="busy")
        self._count += 1
        self._held += size
        try:
            return await self._done(Work(work), tell)
        finally:
            self._count -= 1
            self._held -= size

    async def _done(self, work: Work, tell: Tell | None) -> Any:
        def outcome() -> _Outcome:
            try:
                return _Outcome(work.run())
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                return _Outcome(error=error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_watch, work, tell)
            found = await to_thread.run_sync(outcome, limiter=self._limiter)
            tasks.cancel_scope.cancel()
        # Nobody waits for what was cancelled, and nobody is told of it.
        await anyio.lowlevel.checkpoint_if_cancelled()
        if isinstance(found.error, Stopped):
            what = f"it was not done within {SECONDS:,} seconds"
            mend = "send less, such as a part of the log, or of it what came `since` an entry"
            raise Refusal(what, mend, code="time")
        if found.error is not None:
            raise found.error
        return found.value


async def _watch(work: Work, tell: Tell | None) -> None:
    """See to a work until it is cancelled, with its end or before it."""
    passed = 0
    try:
        while passed < SECONDS:
            await anyio.sleep(1)
            if work.begun:
                passed += 1
                if tell is not None:
                    await tell(passed, SECONDS, f"{passed} s at work")
    finally:
        with anyio.CancelScope(shield=True):
            # A first call imports what it needs, which is better not broken off.
            for _ in range(0 if passed else 10):
                if work.begun:
                    await anyio.sleep(0.1)
        work.stop()
