"""`pcsf aili view`: the projection of a branch."""

from __future__ import annotations

from typing import Annotated

import typer

from kernel.projection.log.spelling import stringify
from pcsf_lark.faces.aili import text as words
from pcsf_lark.faces.aili.log import Opened
from pcsf_lark.faces.aili.options import verb
from pcsf_lark.faces.aili.view import body
from pcsf_lark.faces.session.options import ViewFormat
from pcsf_lark.faces.session.saying import show

__all__ = ["view"]


@verb
def view(
    now: Opened,
    *,
    output: Annotated[
        ViewFormat, typer.Option("--format", help="How it is shown; --json means json.")
    ] = ViewFormat.text,
) -> None:
    """Print what the model sees of a branch: recaps and stubs where it is folded.

    pi gives the messages exactly as the projection has them; the other wires,
    and json (the kernel's own messages, as an object), leave out calls that have no result.
    """
    if output is ViewFormat.text and now.given.json:
        output = ViewFormat.json
    if output is ViewFormat.text:
        show(words.view(now.snapshot))
    else:
        show(stringify(body(now.snapshot, output.value)))
