"""`pcsf mcp`: the server of tools for models, for their programs to start."""

from __future__ import annotations

import gc
import signal
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
            help="A folder that calls may read files of, by relative paths; repeat it for several. "
            "Default: none, calls bring their texts.",
            show_default=False,
        ),
    ] = None,
    relay: Annotated[
        str | None,
        typer.Option(
            metavar="PATH|URL",
            help="The relay of calls that name none: a project's folder, a database file or URL.",
            show_default=False,
        ),
    ] = None,
    key_file: Annotated[
        list[str] | None,
        typer.Option(
            "--key-file",
            metavar="K",
            help="A key that chains of state objects are verified with. Repeat it where keys were "
            "rotated.",
            show_default=False,
        ),
    ] = None,
    master: Annotated[
        bool, typer.Option("--master", help="The files hold master keys; derive the session's.")
    ] = False,
) -> None:
    """Serve models over the Model Context Protocol, on standard input and output.

    A model's program starts it; what to tell yours is in the documentation of the server.
    Nothing is executed, and nothing written but what is pushed to a relay.
    """
    from pcsf_lark.faces.mcp import sdk  # noqa: PLC0415 - its package is for this command

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
    # A thread that waits for input would keep an orderly end waiting for it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server.run(sys.stdin.buffer)
