"""`pcsf fit`: drop what is worth least until a capsule fits."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.cli.delivery import (
    Log,
    LogOption,
    Output,
    StampOption,
    attempt,
    capsule,
    deliver,
    show_log,
    source,
)
from pcsf_lark.faces.cli.piped import PathOrPipe, piped
from pcsf_lark.operations import fittable
from pcsf_lark.passes.fit import fit
from pcsf_lark.spec import LIMIT

__all__ = ["command"]


def command(
    path: PathOrPipe = None,
    *,
    budget: Annotated[
        int,
        typer.Option(
            metavar="BYTES", min=0, help="Keep within this; the format has no more than 1,200."
        ),
    ] = LIMIT,
    reserve: Annotated[
        int, typer.Option(metavar="BYTES", min=0, help="Leave so much of the budget free.")
    ] = 0,
    stamp: StampOption = False,
    log: LogOption = Log.text,
    output: Output = None,
) -> None:
    """Drop entries, worth least first, until a capsule fits its budget.

    Takes a capsule whose only faults are its size and a stamp that no longer
    matches. One that fits is written as it is. The log on stderr tells each
    line that went. Exits 1 where even dropping all that may go is not enough.

    Examples:
        # Make a capsule fit; what is dropped is told on standard error.
        pcsf fit long.pcsf -o fitted.pcsf
        #=> writes fitted.pcsf
        #=> step ...
        # Leave 200 bytes for what is added later.
        pcsf fit capsule.pcsf --reserve 200
        #=> ===PCSF:v1.2===
    """
    name = piped(path)
    tree = capsule(name, source(name), fittable)
    result = attempt(lambda: fit(tree, budget=budget, reserve=reserve, stamp=stamp), name, log)
    show_log(result.dropped, (), log)
    deliver(result.text, output)
