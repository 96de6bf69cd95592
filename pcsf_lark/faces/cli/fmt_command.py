"""`pcsf fmt`: the one canonical text, in place."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from pcsf_lark.api import format_source
from pcsf_lark.errors import CapsuleError
from pcsf_lark.faces.cli.options import StdinName
from pcsf_lark.faces.cli.terminal import colours, say, show_refusal, tell
from pcsf_lark.faces.files import STDIN, Trouble, find, read, replace
from pcsf_lark.report.text import named

__all__ = ["command"]


def command(
    *,
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATHS...",
            help="Capsule files, folders (all *.pcsf below them), or - for standard input.",
        ),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change, and exit 1.")
    ] = False,
    restamp: Annotated[
        bool, typer.Option("--restamp", help="Stamp anew where INTEGRITY does not match.")
    ] = False,
    stdin_filename: StdinName = None,
) -> None:
    """Write capsules in their canonical text: spaced, exact, one final LF.

    A capsule that is not conformant stays as it is; its findings go to stderr
    and the exit code is 1. `-` reads standard input and writes to standard
    output.

    Examples:
        # Write a capsule in its canonical text, in place.
        pcsf fmt compact.pcsf
        #=> writes compact.pcsf
        #=> rewrote compact.pcsf
        # Show what would change, and exit 1 if anything.
        pcsf fmt --diff compact.pcsf
        #=> exit 1
        #=> --- compact.pcsf
    """
    troubled = refused = changed = False
    for path in find(paths):
        try:
            if isinstance(path, Trouble):
                raise path
            name = (stdin_filename or STDIN) if path == STDIN else path
            source = read(path)
            try:
                text = format_source(source, restamp=restamp)
            except CapsuleError as error:
                refused = True
                show_refusal(name, error, colour=colours(sys.stderr))
                continue
            differs = text != source.data
            if check or diff:
                changed |= differs
                if differs and diff:
                    _show_diff(name, source.data, text)
                elif differs:
                    say(f"would rewrite {named(name)}")
            elif path == STDIN:
                sys.stdout.buffer.write(text)
            elif differs:
                replace(path, text)
                say(f"rewrote {named(name)}", err=True)
        except Trouble as trouble:
            troubled = True
            tell(f"pcsf: {named(str(trouble))}", err=True)
    raise typer.Exit(2 if troubled else int(refused or changed))


def _show_diff(name: str, before: bytes, after: bytes) -> None:
    import difflib  # noqa: PLC0415 - for --diff alone

    old, new = (text.decode("ascii").splitlines(keepends=True) for text in (before, after))
    for line in difflib.unified_diff(old, new, name, f"{name} (formatted)"):
        sys.stdout.write(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
