"""The server: the tables of tools, prompts and resources, spoken over standard streams.

Laws of this file and of `listing.py` and `transport.py`: they alone know the SDK. What is
asked for is done as a call (`calls.py`), apart from the loop that reads and answers.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server as Protocol
from mcp.shared.exceptions import MCPError

from pcsf_lark.faces.mcp.calls import Calls
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.stopping import insist
from pcsf_lark.faces.mcp.transport import SIZE, streams

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from pcsf_lark.faces.mcp.answering import Told
    from pcsf_lark.faces.mcp.inputs import Grant

__all__ = ["Server"]

_INSTRUCTIONS = """\
Tools on PCSF capsules: text files of at most 1,200 bytes that carry a session's state to \
the next one. To write one, take the prompt `compress` (or the resource pcsf://tables), then \
`check` what you wrote and mend what it finds; `fix` mends part of it, `fit` makes it short \
enough. To go on from one, use `resume`. `relay_push` and `relay_head` keep the state of a \
chain of sessions. A refused call says what to send instead.\
"""
_SHOWN_ROOTS = 8


class Server:
    """What a client speaks with."""

    def __init__(self, grant: Grant) -> None:
        self._grant = grant
        self._calls = Calls()
        self._protocol: Protocol[Any] = Protocol(
            "pcsf",
            version=version("pcsf-lark"),
            title="PCSF",
            instructions=f"{_INSTRUCTIONS} {_reached(grant)}",
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_completion=self._complete,
        )

    def run(self, stream: BinaryIO) -> None:
        """Serve what comes from a stream to standard output, to its end."""
        insist()
        anyio.run(self._serve, stream)

    async def _serve(self, stream: BinaryIO) -> None:
        options = self._protocol.create_initialization_options()
        async with streams(stream) as (incoming, outgoing):
            await self._protocol.run(incoming, outgoing, options)

    async def _call_tool(
        self, ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        from pcsf_lark.faces.mcp.answering import answer, refused  # noqa: PLC0415 - after the start

        work = partial(answer, params.name, params.arguments or {}, self._grant)
        try:
            told: Told = await self._calls.do(work, SIZE.get(), ctx.session.report_progress)
        except Refusal as error:
            told = refused(error)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text) for text in told.texts],
            structured_content=told.members,
            is_error=told.failed,
        )

    async def _get_prompt(
        self, _ctx: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        from pcsf_lark.faces.mcp.prompts import PROMPTS, prompt  # noqa: PLC0415 - likewise

        text = await self._answered(partial(prompt, params.name, params.arguments or {}))
        content = types.TextContent(type="text", text=text)
        return types.GetPromptResult(
            description=PROMPTS[params.name].about,
            messages=[types.PromptMessage(role="user", content=content)],
        )

    async def _read_resource(
        self, _ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from pcsf_lark.faces.mcp.library import read  # noqa: PLC0415 - likewise

        address = str(params.uri)
        media, text = await self._answered(partial(read, address))
        content = types.TextResourceContents(uri=address, mime_type=media, text=text)
        return types.ReadResourceResult(contents=[content])

    async def _complete(
        self, _ctx: Any, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        from pcsf_lark.faces.mcp.library import completed  # noqa: PLC0415 - likewise

        named = getattr(params.ref, "uri", ""), params.argument.name
        found = await self._answered(partial(completed, *named, params.argument.value))
        shown = found[:100]  # the protocol's bound
        return types.CompleteResult(
            completion=types.Completion(
                values=shown, total=len(found), has_more=len(found) > len(shown)
            )
        )

    async def _list_tools(self, _ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=await self._listed("tools", params))

    async def _list_prompts(self, _ctx: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=await self._listed("prompts", params))

    async def _list_resources(self, _ctx: Any, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=await self._listed("resources", params))

    async def _list_templates(self, _ctx: Any, params: Any) -> types.ListResourceTemplatesResult:
        found = await self._listed("templates", params)
        return types.ListResourceTemplatesResult(resource_templates=found)

    @staticmethod
    async def _listed(what: str, params: types.PaginatedRequestParams | None) -> Any:
        """One of our lists, each of which is one page."""
        from pcsf_lark.faces.mcp import listing  # noqa: PLC0415 - likewise

        if params is not None and params.cursor is not None:
            what_is = "is no cursor of this server, whose lists have one page"
            raise _told(Refusal(what_is, "send none", at="cursor"))
        return getattr(listing, what)()

    async def _answered(self, work: Callable[[], Any]) -> Any:
        """What work gives; its errors as errors of the protocol, in the same words."""
        from pcsf_lark.faces.mcp.answering import translated  # noqa: PLC0415 - likewise

        try:
            return await self._calls.do(work, SIZE.get())
        except Exception as error:  # noqa: BLE001 - whatever it is, a client is told
            raise _told(translated(error)) from None


def _told(refusal: Refusal) -> MCPError:
    return MCPError(types.INVALID_PARAMS, str(refusal), refusal.members())


def _reached(grant: Grant) -> str:
    """What calls of this server may reach, for who makes them."""
    roots = [ascii(str(root)) for root in grant.roots]
    relay = " It has a relay of its own." if grant.relay is not None else ""
    if not roots:
        return f"Send texts as they are: this server reads no files.{relay}"
    more = " and others" if len(roots) > _SHOWN_ROOTS else ""
    listed = ", ".join(roots[:_SHOWN_ROOTS])
    return f"Send texts as they are, or files below {listed}{more} by paths relative to it.{relay}"
