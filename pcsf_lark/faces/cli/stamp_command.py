"""`pcsf stamp`: put an INTEGRITY line on a capsule."""

from __future__ import annotations

from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.faces.cli.delivery import Output, attempt, capsule, deliver, source
from pcsf_lark.faces.cli.piped import PathOrPipe, piped
from pcsf_lark.passes.stamp import stamp

__all__ = ["command"]


def command(path: PathOrPipe = None, *, output: Output = None) -> None:
    """Write a capsule's canonical text with an INTEGRITY line.

    The line tells whether the file was cut or changed; it is no proof of who
    wrote it. Nothing is dropped to make room for it: `pcsf fit --stamp` does
    that.

    Examples:
        # Let a reader tell whether the file was cut or changed.
        pcsf stamp capsule.pcsf -o sealed.pcsf
        #=> writes sealed.pcsf
    """
    name = piped(path)
    tree = capsule(name, source(name))
    deliver(verbatim(attempt(lambda: stamp(tree), name)), output)
