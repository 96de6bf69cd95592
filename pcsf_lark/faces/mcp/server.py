"""The server: the tables of tools, prompts and resources, spoken over standard streams.

Laws of this file: all that knows the SDK's types is here; a call is done in a thread, so
that others are answered meanwhile, and no more than a bounded number are taken at once.
"""

from __future__ import annotations

from functools import cached_property, partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, cast

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.lowlevel import Server as Protocol
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import LATEST_MODERN_VERSION

from pcsf_lark.faces.mcp.bounds import CALLS, MESSAGE, THREADS
from pcsf_lark.faces.mcp.lines import TOO_LONG, Lines
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from pcsf_lark.faces.mcp.answering import Told
    from pcsf_lark.faces.mcp.inputs import Grant
    from pcsf_lark.faces.mcp.tools import Tool

__all__ = ["Server"]

_INSTRUCTIONS = """\
Tools on PCSF capsules: text files of at most 1,200 bytes that carry a session's state to \
the next one. To write one, take the prompt `compress`, then `check` what you wrote and mend \
what it finds; `fit` makes it short enough. To go on from one, use `resume`. `relay_push` and \
`relay_head` keep the state of a chain of sessions. Send texts as they are; files only as \
paths relative to a root of this server, if it has any. A refused call says what to send instead.\
"""

#: What the newest protocol wants of every request.
_ENVELOPE = {
    "_meta": {
        types.PROTOCOL_VERSION_META_KEY: LATEST_MODERN_VERSION,
        types.CLIENT_CAPABILITIES_META_KEY: {},
    }
}


class Server:
    """What a client speaks with."""

    def __init__(self, grant: Grant) -> None:
        self._grant = grant
        self._waiting = 0
        self._protocol: Protocol[Any] = Protocol(
            "pcsf",
            version=version("pcsf-lark"),
            title="PCSF",
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )
        self._protocol.add_request_handler(TOO_LONG, types.RequestParams, self._too_long)

    def run(self, stream: BinaryIO) -> None:
        """Serve what comes from a stream to standard output, to its end."""
        anyio.run(self._serve, stream)

    async def _serve(self, stream: BinaryIO) -> None:
        options = self._protocol.create_initialization_options()
        bounded: Any = Lines(stream, types.PROTOCOL_VERSION_META_KEY, _ENVELOPE)
        lines = cast("anyio.AsyncFile[str]", anyio.wrap_file(bounded))
        async with stdio_server(stdin=lines) as (incoming, outgoing):
            await self._protocol.run(incoming, outgoing, options)

    @cached_property
    def _limiter(self) -> anyio.CapacityLimiter:
        return anyio.CapacityLimiter(THREADS)

    async def _apart(self, work: Callable[[], Any]) -> Any:
        """What work gives in a thread; raises Refusal where too much is going on."""
        if self._waiting >= CALLS:
            what = f"{CALLS} calls are at work or waiting already"
            raise Refusal(what, "send it again when one is answered", code="busy")
        self._waiting += 1
        try:
            return await to_thread.run_sync(work, limiter=self._limiter)
        finally:
            self._waiting -= 1

    async def _list_tools(self, _ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=await self._apart(_tools))

    async def _call_tool(
        self, _ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        from pcsf_lark.faces.mcp.answering import answer, refused  # noqa: PLC0415 - after the start

        work = partial(answer, params.name, params.arguments or {}, self._grant)
        try:
            told: Told = await self._apart(work)
        except Refusal as error:
            told = refused(error)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text) for text in told.texts],
            structured_content=told.members,
            is_error=told.failed,
        )

    async def _list_prompts(self, _ctx: Any, _params: Any) -> types.ListPromptsResult:
        from pcsf_lark.faces.mcp.prompts import PROMPTS  # noqa: PLC0415 - likewise

        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=name,
                    title=one.title,
                    description=one.about,
                    arguments=[
                        types.PromptArgument(
                            name=arg.name, description=arg.about, required=arg.required
                        )
                        for arg in one.arguments
                    ],
                )
                for name, one in PROMPTS.items()
            ]
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

    async def _list_resources(self, _ctx: Any, _params: Any) -> types.ListResourcesResult:
        from pcsf_lark.faces.mcp.library import entries  # noqa: PLC0415 - likewise

        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=address,
                    name=address.removeprefix("pcsf://"),
                    description=one.about,
                    mime_type=one.media,
                )
                for address, one in entries().items()
            ]
        )

    async def _list_templates(self, _ctx: Any, _params: Any) -> types.ListResourceTemplatesResult:
        from pcsf_lark.faces.mcp.library import RULE  # noqa: PLC0415 - likewise

        page = types.ResourceTemplate(
            uri_template=RULE,
            name="rule",
            description="The manual page of a rule, by its code or name.",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[page])

    async def _read_resource(
        self, _ctx: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from pcsf_lark.faces.mcp.library import read  # noqa: PLC0415 - likewise

        address = str(params.uri)
        media, text = await self._answered(partial(read, address))
        content = types.TextResourceContents(uri=address, mime_type=media, text=text)
        return types.ReadResourceResult(contents=[content])

    async def _answered(self, work: Callable[[], Any]) -> Any:
        """What work gives; its errors as errors of the protocol, in the same words."""
        from pcsf_lark.faces.mcp.answering import translated  # noqa: PLC0415 - likewise

        try:
            return await self._apart(work)
        except Exception as error:  # noqa: BLE001 - whatever it is, a client is told
            told = translated(error)
            raise MCPError(
                code=types.INVALID_PARAMS, message=str(told), data=told.members()
            ) from None

    async def _too_long(self, _ctx: Any, _params: Any) -> types.EmptyResult:
        what = f"the message has more than {MESSAGE:,} bytes"
        told = Refusal(what, "send less, or the path of a file below a root", code="size")
        raise MCPError(code=types.INVALID_REQUEST, message=str(told), data=told.members())


def _tools() -> list[types.Tool]:
    from pcsf_lark.faces.mcp.arguments import schema  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.mcp.tools import TOOLS  # noqa: PLC0415 - likewise

    return [
        types.Tool(
            name=name,
            title=one.title,
            description=one.about,
            input_schema=schema(one.arguments),
            output_schema=_given_by(one),
            annotations=types.ToolAnnotations(
                read_only_hint=one.reads_only,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )
        for name, one in TOOLS.items()
    ]


def _given_by(tool: Tool) -> dict[str, Any]:
    """The schema of a tool's answers; clients hold refusals against it, too."""
    members = {**tool.gives, "error": "object"}
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in members.items()},
        "anyOf": [{"required": list(tool.gives)}, {"required": ["error"]}],
    }
