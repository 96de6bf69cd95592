"""Arguments and options that several subcommands take, each described once."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

__all__ = ["Format", "OnePath", "Paths", "Profile", "ProfileOption", "StdinName"]


class Profile(enum.StrEnum):
    """Which language of capsules is read."""

    interop = "interop"
    prose = "prose"
    abnf = "abnf"


class Format(enum.StrEnum):
    """How results are shown."""

    human = "human"
    concise = "concise"
    json = "json"
    jsonl = "jsonl"
    sarif = "sarif"
    github = "github"
    agent = "agent"


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]...",
        help="Capsule files, folders (all *.pcsf below them), or - for standard input. "
        "Default: the current folder.",
        show_default=False,
    ),
]
OnePath = Annotated[str, typer.Argument(metavar="PATH", help="A file, or - for standard input.")]
ProfileOption = Annotated[
    Profile,
    typer.Option(
        help="Read this language: interop has both layouts, prose only the spaced one, "
        "abnf the grammar to the letter."
    ),
]
StdinName = Annotated[
    str | None,
    typer.Option(
        "--stdin-filename",
        metavar="NAME",
        help="Call standard input so in results. Default: -.",
        show_default=False,
    ),
]
