"""`pcsf show`: a capsule at a glance."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.api import check_source, parse_source
from pcsf_lark.faces.cli.terminal import colours, say, show_report
from pcsf_lark.faces.files import Trouble, find, read

__all__ = ["command"]


def command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Capsule files, folders, or - for standard input."),
    ],
) -> None:
    """Show capsules to a person: layers, colours, and where the bytes went."""
    from pcsf_lark.faces.portrait import portrait  # noqa: PLC0415 - brings rich

    colour = colours(sys.stdout)
    troubled = refused = False
    first = True
    for path in find(paths):
        try:
            if isinstance(path, Trouble):
                raise path
            source = read(path)
        except Trouble as error:
            troubled = True
            say(f"pcsf: {error}", err=True)
            continue
        report = check_source(source)
        if not report.conformant:
            refused = True
            show_report(path, report, colour=colours(sys.stderr))
            continue
        if not first:
            say("")
        first = False
        portrait(path, parse_source(source), colour=colour)
    raise typer.Exit(2 if troubled else int(refused))
