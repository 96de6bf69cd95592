"""`pcsf unstamp`: take the INTEGRITY line off a capsule."""

from __future__ import annotations

from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.faces.cli.delivery import Output, capsule, deliver, source
from pcsf_lark.faces.cli.piped import PathOrPipe, piped
from pcsf_lark.passes.stamp import unstamp

__all__ = ["command"]


def command(path: PathOrPipe = None, *, output: Output = None) -> None:
    """Write a capsule's canonical text without its INTEGRITY line.

    One that has none is written as it is; one whose line does not match is
    refused.

    Examples:
        # Take the stamp off before an edit.
        pcsf unstamp stamped.pcsf
        #=> ===PCSF:v1.2===
    """
    name = piped(path)
    deliver(verbatim(unstamp(capsule(name, source(name)))), output)
