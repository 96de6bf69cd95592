"""`pcsf kernel`: the compression kernel for hosts in any language."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kernel.call import CLOCK, Caller, answer_lines
from pcsf_lark.faces.cli.terminal import trouble
from pcsf_lark.faces.session.options import ConfigOption, overrides_of

__all__ = ["app"]

app = typer.Typer(
    name="kernel",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _kernel() -> None:
    """Serve the compression kernel to a host in another language."""


@app.command()
def call(
    *,
    config: ConfigOption = None,
    now: Annotated[
        int, typer.Option("--now", metavar="MS", min=0, help="The time stamped on folds.")
    ] = CLOCK,
) -> None:
    """Answer lines of JSON, {"id", "op", "input"}, with {"id", "output"} or {"id", "error"}.

    A bad line is answered too and the stream goes on; it ends with the input.
    """
    try:
        caller = Caller(config=overrides_of(config), now=now)
    except (TypeError, ValueError) as error:
        trouble(error)
    for answer in answer_lines(sys.stdin.buffer, caller):
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()
