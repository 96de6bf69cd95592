"""A capsule by its path, or from the pipe that feeds the command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import usage_error
from pcsf_lark.faces.files import STDIN

__all__ = ["PathOrPipe", "piped"]

PathOrPipe = Annotated[
    str | None,
    typer.Argument(
        metavar="[PATH]",
        help="A file, or - for standard input, which is also read where no PATH is given and "
        "no terminal feeds it.",
        show_default=False,
    ),
]


def piped(path: str | None) -> str:
    """The path to read; without one standard input, unless that is a terminal (exits 2)."""
    if path is not None:
        return path
    if sys.stdin.isatty():
        usage_error("name a capsule file, or - to type one in")
    return STDIN
