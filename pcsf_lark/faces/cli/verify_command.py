"""`pcsf verify`: whether a capsule's INTEGRITY line matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pcsf_lark.api import check_source, parse_source
from pcsf_lark.faces.cli.delivery import Output, deliver, source
from pcsf_lark.faces.cli.options import OnePath

if TYPE_CHECKING:
    from pcsf_lark.source import Source

__all__ = ["command"]


def command(path: OnePath, *, output: Output = None) -> None:
    """Exit 0 if the INTEGRITY line matches, 1 if it does not or there is none.

    A match tells that the file is whole and unchanged since it was stamped,
    not who stamped it.

    Examples:
        # Tell whether a file is as it was stamped.
        pcsf verify stamped.pcsf
        #=> stamped.pcsf: the stamp matches, ...
    """
    matches, verdict = _judged(source(path))
    deliver(f"{path}: {verdict}\n".encode(errors="backslashreplace"), output)
    raise typer.Exit(int(not matches))


def _judged(text: Source) -> tuple[bool, str]:
    report = check_source(text)
    if report.conformant:
        stamp = parse_source(text).integrity
        if stamp:
            return True, f"the stamp matches, crc32={stamp.crc32} chars={stamp.chars}"
        return False, "no stamp"
    mismatches = [finding.message for finding in report.findings if finding.code == "C11"]
    if mismatches:
        return False, "the stamp does not match: " + "; ".join(mismatches)
    return False, "not conformant, so that no stamp can count; `pcsf check` says why"
