"""A model's program for tests: the SDK's own client, talking to a real `pcsf mcp` over its pipes.

The client lives in a thread with an event loop; tests ask and wait. The server is a fork
(`forks.py`) unless it shall begin anew.
"""

import asyncio
import contextlib
import os
import threading

import forks
from mcp import Client, StdioServerParameters, stdio_client

#: Longer than anything takes on a busy machine.
PATIENCE = 60


class Session:
    """A server, started with arguments, and a client that has said hello to it."""

    def __init__(self, *arguments, mode="auto", errors=None, anew=False):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._done = asyncio.Event()
        command, *before = forks.COMMAND if anew else forks.command()
        parameters = StdioServerParameters(
            command=command,
            args=[*before, "mcp", *map(str, arguments)],
            env=None if anew else dict(os.environ),
        )
        started = threading.Event()
        self._life = asyncio.run_coroutine_threadsafe(
            self._live(parameters, mode, errors, started), self._loop
        )
        self._life.add_done_callback(lambda _: started.set())
        if not started.wait(PATIENCE):
            raise TimeoutError("the server does not answer")
        if self._life.done():
            self._life.result()

    async def _live(self, parameters, mode, errors, started):
        # Entered and left by one task, as the SDK wants it.
        log = open(errors or "/dev/null", "w")  # noqa: ASYNC230, SIM115, PTH123
        with log:
            async with Client(stdio_client(parameters, errlog=log), mode=mode) as self.client:
                started.set()
                await self._done.wait()

    def wait(self, coroutine):
        """What a coroutine of the client gives."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(PATIENCE)

    def call(self, tool, /, **arguments):
        """A tool's answer."""
        return self.wait(self.client.call_tool(tool, arguments))

    def all(self, calls):
        """The answers to calls that are made at the same time, in their order."""

        async def gather():
            made = (self.client.call_tool(tool, given) for tool, given in calls)
            return await asyncio.gather(*made)

        return self.wait(gather())

    def leave(self):
        """Close the pipes, which ends the server."""
        self._loop.call_soon_threadsafe(self._done.set)
        self._life.result(PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()


@contextlib.contextmanager
def session(*arguments, **options):
    """A session that is left in the end."""
    opened = Session(*arguments, **options)
    try:
        yield opened
    finally:
        opened.leave()
