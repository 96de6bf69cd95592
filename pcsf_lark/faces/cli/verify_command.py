"""`pcsf verify`: whether a capsule's INTEGRITY line matches."""

from __future__ import annotations

import typer

from pcsf_lark.faces.cli.delivery import Output, capsule, deliver, source
from pcsf_lark.faces.cli.options import OnePath

__all__ = ["command"]


def command(path: OnePath, *, output: Output = None) -> None:
    """Exit 0 if the INTEGRITY line matches, 1 if it does not or there is none.

    A match tells that the file is whole and unchanged since it was stamped,
    not who stamped it.
    """
    stamp = capsule(path, source(path)).integrity
    verdict = f"stamp matches, {stamp.line.partition(' ')[2]}" if stamp else "no stamp"
    deliver(f"{path}: {verdict}\n".encode(errors="backslashreplace"), output)
    raise typer.Exit(int(stamp is None))
