"""`pcsf lsp`: the language server, for editors to start."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import trouble, usage_error
from pcsf_lark.faces.files import Trouble

__all__ = ["command"]


def command(
    *,
    stdio: Annotated[
        bool,
        typer.Option(
            "--stdio", help="Speak over standard input and output; there is no other way."
        ),
    ] = True,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Take this configuration for all files. Default: the nearest one above each file.",
            show_default=False,
        ),
    ] = None,
    isolated: Annotated[
        bool, typer.Option("--isolated", help="Take no configuration at all.")
    ] = False,
) -> None:
    """Serve an editor: capsules and ABNF grammars, checked as they are typed.

    An editor starts it; what to tell yours is in the documentation of the
    language server. It ends with the editor.

    Examples:
        # What an editor is told to start; nobody speaks to it here, so it ends with exit code 1.
        pcsf lsp < /dev/null
        #=> exit 1
    """
    del stdio  # editors give it, some without being told
    if importlib.util.find_spec("pygls") is None:
        usage_error("the language server needs the extra `lsp`: pip install 'pcsf-lark[lsp]'")
    from pcsf_lark.faces.lsp.features import build  # noqa: PLC0415 - after the line above
    from pcsf_lark.faces.lsp.judging import Judge  # noqa: PLC0415 - likewise

    # What concerns the writer is shown in the editor; of the rest editors keep long logs.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    try:
        server = build(Judge(config, isolated=isolated))
    except Trouble as error:
        trouble(error)
    # The protocol has the stream for itself: what is printed by mistake must not break it.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as channel:
        sys.stdout = sys.stderr
        server.start_io(sys.stdin.buffer, channel)
    server.session.end()
    raise typer.Exit(0 if server.told_to_stop else 1)
