"""`pcsf explain`: a rule's manual page."""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.cli.terminal import tell, usage_error
from pcsf_lark.faces.explaining import Unexplained, page

__all__ = ["command"]


def command(
    rule: Annotated[
        str, typer.Argument(metavar="CODE|NAME", help="Such as C7, malformed-entry or G101.")
    ],
) -> None:
    """Explain a rule: what holds, why, what to write instead, examples.

    Findings of `pcsf grammar check` (G001 and on) have a page too.

    Examples:
        # Ask what a code in a finding means.
        pcsf explain C7
        #=> C7 malformed-entry ...
        # Rules have names, too.
        pcsf explain malformed-entry
        #=> C7 malformed-entry ...
    """
    try:
        tell(page(rule).text)
    except Unexplained as error:
        usage_error(str(error))
