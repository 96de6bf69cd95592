"""`pcsf aili call`: the projection for hosts in any language."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.faces.aili.call import Caller, answer_stream
from pcsf_lark.faces.aili.log import Given
from pcsf_lark.faces.aili.settings import settings_of
from pcsf_lark.faces.cli.terminal import trouble
from pcsf_lark.faces.files import Trouble

__all__ = ["call"]


def call(
    *,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="The one settings file, instead of the user's and the project's.",
            show_default=False,
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            "--window", metavar="N", min=1, help="Tokens of the window.", show_default=False
        ),
    ] = None,
    provider: Annotated[
        str | None, typer.Option("--provider", metavar="NAME", help="Whose estimates count.")
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="Likewise the model.")
    ] = None,
) -> None:
    """Answer lines of JSON, {"id", "op", "log", "leaf"?, "input", "write"?}.

    Each gets {"id", "output", "catalogId", "leaf"} or {"id", "error"}. Ops are
    the six tools and project, before_compact, plan and doctor. Nothing is
    appended to a log without "write": true. A bad line is answered too.
    """
    if config is not None:
        try:
            settings_of(config)
        except Trouble as error:
            trouble(error)
    caller = Caller(Given("", None, config, window, provider, model))
    for answer in answer_stream(sys.stdin.buffer, caller):
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()
