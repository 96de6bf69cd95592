"""Standard streams as the SDK's messages: whoever waits for an answer to a line gets one.

The SDK passes over a line that it cannot read, and its sender waits for ever. Here the
line is answered with what is wrong with it.
"""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.stdio import stdio_server
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from pcsf_lark.faces.mcp.bounds import MESSAGE
from pcsf_lark.faces.mcp.lines import Lines
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import BinaryIO

    from pcsf_lark.faces.mcp.lines import Line

__all__ = ["SIZE", "streams"]

#: Bytes of the message that is being answered; who answers runs in its sender's context.
SIZE: ContextVar[int] = ContextVar("SIZE", default=0)


@asynccontextmanager
async def streams(stream: BinaryIO) -> AsyncIterator[tuple[Any, Any]]:
    """Where messages come from, and where answers go: standard output."""
    # The SDK's own reader gets nothing to read.
    nothing = anyio.wrap_file(io.StringIO())
    async with stdio_server(stdin=nothing) as (unused, outgoing):
        await unused.aclose()
        send, incoming = create_context_streams[SessionMessage | Exception](0)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_relay, Lines(stream), send, outgoing)
            yield incoming, outgoing


async def _relay(lines: Lines, send: Any, outgoing: Any) -> None:
    """Hand on what is read, to the end of it, or until nobody listens any more."""
    try:
        async with send:
            while (line := await to_thread.run_sync(lines.read)) is not None:
                SIZE.set(line.size)
                if line.text is None or line.text.strip():
                    found = _read(line)
                    sound = not isinstance(found, types.JSONRPCError)
                    await (send if sound else outgoing).send(SessionMessage(found))
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        await anyio.lowlevel.checkpoint()


def _read(line: Line) -> types.JSONRPCMessage:
    """The message that a line is, or the answer to one that is none."""
    if line.text is None:
        what = f"the message has more than {MESSAGE:,} bytes"
        told = Refusal(what, "send less, or the path of a file below a root", code="size")
        return _refused(line, types.INVALID_REQUEST, told)
    first: Mapping[str, Any] = {"type": "shape"}
    try:
        found = types.jsonrpc_message_adapter.validate_json(line.text, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
    else:
        if not _without_id(found, line):
            return found
    if first["type"] == "json_invalid":
        what = f"the line is not JSON that can be read: {first['ctx']['error']}"
        told = Refusal(what, "send one JSON object a line, in sound Unicode", code="json")
        return _refused(line, types.PARSE_ERROR, told)
    what = "the line is no request, notification or response of JSON-RPC 2.0"
    mend = 'send such as {"jsonrpc": "2.0", "id": 1, "method": "ping"}, no batches'
    return _refused(line, types.INVALID_REQUEST, Refusal(what, mend, code="json-rpc"))


def _without_id(found: types.JSONRPCMessage, line: Line) -> bool:
    """Whether it is a request whose id is none, which the SDK takes for a notification."""
    if not isinstance(found, types.JSONRPCNotification) or line.text is None:
        return False
    return not found.method.startswith("notifications/") and '"id"' in line.text


def _refused(line: Line, code: int, told: Refusal) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=str(told), data=told.members())
    return types.JSONRPCError(jsonrpc="2.0", id=line.id, error=error)
