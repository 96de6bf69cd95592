"""`pcsf aili view`: the projection of a branch."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.aili.options import Common, PiLog, log_of
from pcsf_lark.faces.session.options import ViewFormat

__all__ = ["view"]


def view(
    path: PiLog,
    *,
    output: Annotated[
        ViewFormat,
        typer.Option(
            "--format", help="Print it for a person, or as a provider takes it; --json means json."
        ),
    ] = ViewFormat.text,
    common: Common,
) -> None:
    """Print what the model sees of a branch: recaps and stubs where it is folded.

    pi gives the messages exactly as the projection has them; the other wires,
    and json (the kernel's own messages, as an object), leave out calls that have no result.

    Examples:
        # Read a branch as its model does.
        pcsf aili view pi.jsonl
        #=> b000001
    """
    from kernel.projection.log.spelling import stringify
    from pcsf_lark.faces.aili import text as words
    from pcsf_lark.faces.aili.view import body
    from pcsf_lark.faces.session.saying import show

    with log_of(path, common) as now:
        if output is ViewFormat.text and now.given.json:
            output = ViewFormat.json
        if output is ViewFormat.text:
            show(words.view(now.snapshot), prose=True)
        else:
            show(stringify(body(now.snapshot, output.value)))
