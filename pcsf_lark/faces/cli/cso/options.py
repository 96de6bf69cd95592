"""The options and arguments that verbs of `pcsf cso` share; each is one value."""

from __future__ import annotations

import enum
from typing import Annotated

import typer
from attrs import frozen

from pcsf_lark.faces.cli.delivery import Log, Output

__all__ = [
    "BecauseOption",
    "ChoiceOption",
    "File",
    "Ident",
    "KeyFiles",
    "LogOption",
    "Made",
    "Master",
    "NeedsSession",
    "RationaleOption",
    "ReasonOption",
    "Require",
    "RequireOption",
    "Shape",
    "ShapeOption",
    "Signer",
    "Store",
]


class Shape(enum.StrEnum):
    """How results are shown."""

    text = "text"
    json = "json"


class Require(enum.StrEnum):
    """The status without which the exit code is 1."""

    valid = "valid"


File = Annotated[
    str, typer.Argument(metavar="FILE", help="A state object (JSON), or - for standard input.")
]
Ident = Annotated[str, typer.Argument(metavar="ID", help="A fact's or decision's id.")]
_KEY = "a file of mode 600 with 64 hex digits, or at least 32 raw bytes"
KeyFiles = Annotated[
    list[str],
    typer.Option(
        "--key-file",
        metavar="FILE",
        help=f"Verify with this key: {_KEY}. Repeat it where keys were rotated.",
    ),
]
NeedsSession = Annotated[
    str,
    typer.Option("--session", metavar="NAME", help="Name the session: a tag is for one session."),
]
Master = Annotated[
    bool,
    typer.Option("--master", help="Take the file for a master key, and derive the session's."),
]
ShapeOption = Annotated[Shape, typer.Option("--format", help="Print it as text, or as JSON.")]
RequireOption = Annotated[
    Require | None,
    typer.Option(
        "--require", help="Exit 1 unless the status is VALID. Default: where it is BROKEN."
    ),
]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="WORDS", help="Say why it does not hold; recorded.")
]
ChoiceOption = Annotated[
    str, typer.Option("--choice", metavar="WORDS", help="Say what is decided, or true, now.")
]
RationaleOption = Annotated[
    str,
    typer.Option(
        "--rationale", metavar="WORDS", help="Say why. Default: nothing.", show_default=False
    ),
]
LogOption = Annotated[
    Log,
    typer.Option("--log", help="Tell on stderr what came of it: lines, or one JSON object."),
]
BecauseOption = Annotated[
    str, typer.Option("--because", metavar="ID|WORDS", help="Say what is new: an item, or words.")
]


@frozen
class Made:
    """Where a new object goes, and what signs it."""

    key_file: Annotated[
        str | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help=f"Sign the result with this key: {_KEY}. Default: not signed.",
            show_default=False,
        ),
    ] = None
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Sign for this session. Default: none.",
            show_default=False,
        ),
    ] = None
    master: Master = False
    output: Output = None


@frozen
class Signer:
    """What signs an object, where that is the purpose."""

    key_file: Annotated[
        str, typer.Option("--key-file", metavar="FILE", help=f"Sign with this key: {_KEY}.")
    ]
    session: NeedsSession
    master: Master = False
    kid: Annotated[
        str,
        typer.Option(
            "--kid",
            metavar="NAME",
            help="Name the key, in the member ext.crp.kid. Default: no name.",
            show_default=False,
        ),
    ] = ""


@frozen
class Store:
    """The store to which a signed object is appended."""

    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="PATH|URL",
            help="Append the object to this store, too: a file, or a database. Default: none.",
            show_default=False,
        ),
    ] = None
    branch: Annotated[
        str, typer.Option("--branch", metavar="NAME", help="Take this branch of the store.")
    ] = "main"
