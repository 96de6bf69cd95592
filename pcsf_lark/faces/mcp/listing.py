"""What a server tells of its tools, prompts and resources: our tables as the SDK's types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types

from pcsf_lark.faces.mcp.arguments import schema
from pcsf_lark.faces.mcp.library import RULE, entries
from pcsf_lark.faces.mcp.prompts import PROMPTS
from pcsf_lark.faces.mcp.tools import MEMBERS, TOOLS

if TYPE_CHECKING:
    from pcsf_lark.faces.mcp.tools import Tool

__all__ = ["prompts", "resources", "templates", "tools"]

_ERROR = {
    "type": "object",
    "description": "Why the call was refused, and what to send instead.",
    "properties": {name: {"type": "string"} for name in ("code", "message", "mend", "at")},
    "required": ["code", "message", "mend", "at"],
}


def tools() -> list[types.Tool]:
    """All tools; none of them destroys anything, or is unlike itself when done twice."""
    return [
        types.Tool(
            name=name,
            title=one.title,
            description=one.about,
            input_schema=schema(one.arguments),
            output_schema=_given_by(one),
            annotations=types.ToolAnnotations(
                title=one.title,
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
    members = {
        name: {"type": kind, "description": MEMBERS[name]} for name, kind in tool.gives.items()
    }
    return {
        "type": "object",
        "properties": {**members, "error": _ERROR},
        "anyOf": [{"required": list(tool.gives)}, {"required": ["error"]}],
    }


def prompts() -> list[types.Prompt]:
    """All prompts."""
    return [
        types.Prompt(
            name=name,
            title=one.title,
            description=one.about,
            arguments=[
                types.PromptArgument(name=arg.name, description=arg.about, required=arg.required)
                for arg in one.arguments
            ],
        )
        for name, one in PROMPTS.items()
    ]


def resources() -> list[types.Resource]:
    """All resources but the rules' pages."""
    return [
        types.Resource(
            uri=address,
            name=address.removeprefix("pcsf://"),
            description=one.about,
            mime_type=one.media,
        )
        for address, one in entries().items()
    ]


def templates() -> list[types.ResourceTemplate]:
    """The rules' pages."""
    about = "The manual page of a rule, by its code or name."
    return [
        types.ResourceTemplate(
            uri_template=RULE, name="rule", description=about, mime_type="text/plain"
        )
    ]
