"""`pcsf mcp`: the server of tools for models, for their programs to start."""

from __future__ import annotations

import gc
import sys
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import trouble, usage_error
from pcsf_lark.faces.files import Trouble

__all__ = ["command"]


def command(
    *,
    root: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="Let calls read the files of this folder, by relative paths; repeat it for several. "
            "Default: none, calls bring their texts.",
            show_default=False,
        ),
    ] = None,
    relay: Annotated[
        str | None,
        typer.Option(
            metavar="PATH|URL",
            help="Take this relay where a call names none: a project's folder, a database file or URL. "
            "Default: none.",
            show_default=False,
        ),
    ] = None,
    key_file: Annotated[
        list[str] | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help="Verify chains of state objects with this key; repeat it where keys were rotated. "
            "Default: none.",
            show_default=False,
        ),
    ] = None,
    master: Annotated[
        bool,
        typer.Option("--master", help="Take the files for master keys, and derive the session's."),
    ] = False,
) -> None:
    """Serve models over the Model Context Protocol, on standard input and output.

    A model's program starts it; what to tell yours is in the documentation of the server.
    Nothing is executed, and nothing written but what is pushed to a relay.

    Examples:
        # What an agent is told to start, for files below this folder; it ends with its input.
        pcsf mcp --root . < /dev/null
    """
    from pcsf_lark.faces.mcp import scratch, sdk  # noqa: PLC0415 - its package is for this command

    if not sdk.there():
        usage_error("the server for models needs the extra `mcp`: pip install 'pcsf-lark[mcp]'")
    from pcsf_lark.faces.mcp.confinement import Roots  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.mcp.inputs import Grant  # noqa: PLC0415 - likewise

    try:
        grant = Grant(Roots(root or ()), relay, tuple(key_file or ()), master)
    except Trouble as error:
        trouble(error)
    sdk.defer()
    from pcsf_lark.faces.mcp.server import Server  # noqa: PLC0415 - after the line above

    server = Server(grant)
    gc.freeze()
    gc.enable()
    scratch.tidy_on_signals()
    server.run(sys.stdin.buffer)
