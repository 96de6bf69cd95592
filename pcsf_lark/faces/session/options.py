"""Options of `pcsf session` and `pcsf kernel`, each described once."""

from __future__ import annotations

import enum
import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import frozen

if TYPE_CHECKING:
    from kernel import Config

__all__ = [
    "ConfigOption",
    "FormatOption",
    "LogFormat",
    "LogPath",
    "Part",
    "Report",
    "SinceOption",
    "ViewFormat",
    "Window",
    "WireFormat",
    "config_of",
    "overrides_of",
]


class LogFormat(enum.StrEnum):
    """How a log is written."""

    pi = "pi"
    claude_code = "claude-code"
    codex = "codex"
    openhands_output = "openhands-output"
    openhands = "openhands"
    sweagent = "sweagent"
    chat = "chat"


class WireFormat(enum.StrEnum):
    """What a session is converted to; json are the kernel's own messages."""

    openai = "openai"
    anthropic = "anthropic"
    responses = "responses"
    gemini = "gemini"
    pi = "pi"
    json = "json"


class ViewFormat(enum.StrEnum):
    """How a view is shown: for a person, for a provider, as the kernel's own messages."""

    text = "text"
    openai = "openai"
    anthropic = "anthropic"
    responses = "responses"
    gemini = "gemini"
    pi = "pi"
    json = "json"


class Report(enum.StrEnum):
    """How a report is shown."""

    text = "text"
    json = "json"


LogPath = Annotated[str, typer.Argument(metavar="FILE", help="A session log.")]


@frozen
class Part:
    """What of a log is read, and how."""

    leaf: Annotated[
        str | None,
        typer.Option(
            "--leaf",
            metavar="ID",
            help="Take the branch that ends in this entry. Default: the last one.",
            show_default=False,
        ),
    ] = None
    run: Annotated[
        int,
        typer.Option("--run", metavar="N", help="Take this run, where a file holds several."),
    ] = 0
    log_format: Annotated[
        LogFormat | None,
        typer.Option("--log-format", help="Read the log as this. Default: found out."),
    ] = None

    @property
    def named(self) -> dict[str, Any]:
        """The part as readers of logs take it."""
        return {"leaf": self.leaf, "run": self.run, "fmt": self.log_format}


ConfigOption = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="JSON",
        help="""Set these over the defaults, such as '{"modelContextLimit": 128000}'.""",
        show_default=False,
    ),
]
SinceOption = Annotated[
    str | None,
    typer.Option(
        "--since",
        metavar="ENTRY",
        help="Take of a log only what comes after this entry. Default: all.",
        show_default=False,
    ),
]
FormatOption = Annotated[Report, typer.Option("--format", help="Print it as text, or as JSON.")]


@frozen
class Window(Part):
    """What of a log is read, and the model's window that it is held against."""

    config: ConfigOption = None
    tokens: Annotated[
        int | None,
        typer.Option(
            "--tokens",
            metavar="N",
            min=0,
            help="Count the context as N tokens. Default: estimated.",
            show_default=False,
        ),
    ] = None


def overrides_of(text: str | None) -> dict[str, Any]:
    """The settings given as JSON; raises ValueError where they are none."""
    if text is None:
        return {}
    from kernel import config_from_json, validate_config  # noqa: PLC0415 - help needs none of it

    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"--config is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise TypeError('--config must be a JSON object, such as {"modelContextLimit": 128000}')
    try:
        faults = validate_config(config_from_json(value))
    except (TypeError, ValueError) as error:
        raise ValueError(f"--config holds a value of the wrong kind: {error}") from None
    if faults:
        raise ValueError(f"--config: {'; '.join(faults)}")
    return value


def config_of(text: str | None) -> Config:
    """The configuration with the settings given as JSON; raises ValueError."""
    from kernel import config_from_json  # noqa: PLC0415 - likewise

    return config_from_json(overrides_of(text))
