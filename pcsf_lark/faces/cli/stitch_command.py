"""`pcsf stitch`: fold the capsules of a chain of sessions into one."""

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
    once,
    show_log,
    source,
)
from pcsf_lark.faces.stitching import folded

__all__ = ["command"]


def command(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The older capsule, or - for stdin.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The newer capsule.")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MORE]...", help="Still newer ones, in order.", show_default=False),
    ] = None,
    *,
    output: Output = None,
    stamp: StampOption = False,
    keep_skeleton: Annotated[
        bool, typer.Option("--keep-skeleton", help="Exit 1 rather than drop an L1 entry.")
    ] = False,
    log: LogOption = Log.text,
) -> None:
    """Fold capsules, oldest first, into one that still fits.

    Entries of one thread become one, the newer content in the older place;
    then caps and the size are kept. The log on stderr tells each line that is
    not in the result. A capsule that is not conformant, or whose stamp does
    not match, is refused.

    Examples:
        # Carry on from two sessions; what is left out is told on standard error.
        pcsf stitch older.pcsf capsule.pcsf -o merged.pcsf
        #=> writes merged.pcsf
    """
    paths = [old, new, *(more or ())]
    once(paths)
    trees = [capsule(path, source(path)) for path in paths]
    steps = folded(trees, keep_skeleton=keep_skeleton, stamp=stamp)
    for path in paths[1:]:
        result = attempt(lambda: next(steps), path, log)
    show_log(result.log, result.warnings, log)
    deliver(result.text, output)
