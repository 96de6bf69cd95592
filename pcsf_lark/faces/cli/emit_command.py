"""`pcsf emit`: the JSON of `pcsf ast` in, the canonical capsule out."""

from __future__ import annotations

import sys

from pcsf_lark.faces.cli.capsule_json import capsule_text
from pcsf_lark.faces.cli.options import OnePath

__all__ = ["command"]


def command(path: OnePath) -> None:
    """Write the canonical capsule of a JSON object as `pcsf ast` prints it.

    `layout`, `final_lf` and `bytes` are ignored; `integrity` other than null
    means: stamp. What cannot be a capsule is refused with the rule that
    forbids it, and the exit code is 1.

    Examples:
        # Make a capsule of what a program wrote.
        pcsf emit capsule.json
        #=> ===PCSF:v1.2===
        # Go there and back.
        pcsf ast capsule.pcsf | pcsf emit -
        #=> ===PCSF:v1.2===
    """
    sys.stdout.buffer.write(capsule_text(path))
