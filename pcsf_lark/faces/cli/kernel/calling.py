"""`pcsf kernel call`: the compression kernel for hosts in any language."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import trouble
from pcsf_lark.faces.session.options import ConfigOption, overrides_of

__all__ = ["call"]


def call(
    *,
    config: ConfigOption = None,
    now: Annotated[
        int | None,
        typer.Option(
            "--now",
            metavar="MS",
            min=0,
            help="Stamp folds with this time, in milliseconds since 1970. Default: a fixed time.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Answer lines of JSON, {"id", "op", "input"}, with {"id", "output"} or {"id", "error"}.

    A bad line is answered too and the stream goes on; it ends with the input.

    Examples:
        # Call the kernel from any language.
        echo '{"id": 1, "op": "countTokens", "input": {"text": "good day"}}' | pcsf kernel call
        #=> {"id":1,"output":{...
    """
    from kernel.call import CLOCK, Caller, answer_lines

    try:
        caller = Caller(config=overrides_of(config), now=CLOCK if now is None else now)
    except (TypeError, ValueError) as error:
        trouble(error)
    for answer in answer_lines(sys.stdin.buffer, caller):
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()
