"""`pcsf grammar check`: what is wrong, loose or dangerous in any ABNF."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.cli.grammar.options import Reading, names, read
from pcsf_lark.faces.cli.options import Format
from pcsf_lark.faces.cli.terminal import colours, columns, say, tell
from pcsf_lark.faces.files import Trouble
from pcsf_lark.report import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pcsf_lark.report import Report

__all__ = ["check"]


def check(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="ABNF files, or - for standard input.")
    ],
    *,
    output: Annotated[
        Format, typer.Option("--format", help="Print results in this form.")
    ] = Format.human,
    reading: Reading,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Hold it to RFC 5234 to the letter: CRLF, no indentation."),
    ] = False,
    fail_on: Annotated[
        Severity, typer.Option(help="Exit 1 on findings of this severity, and worse ones.")
    ] = Severity.ERROR,
) -> None:
    """Find everything wrong, loose or dangerous in a grammar, all at once.

    Errors make the exit code 1; warnings tell of left recursion, repetitions
    that greedy parsers cannot take, and choices that are ambiguous.

    Examples:
        # Judge a grammar.
        pcsf grammar check grammar.abnf
        #=> grammar.abnf: conformant, 80 bytes
    """
    from pcsf_lark import abnf
    from pcsf_lark.faces.grammars import report

    def findings(path: str) -> Report:
        text, others = read(path, reading.imports)
        found = abnf.inspect(
            text,
            start=reading.start or "",
            lexical=names(reading.lexical),
            imports=others,
            **reading.named,
            strict=strict,
        )
        return report(text, found)

    raise typer.Exit(_shown(paths, findings, output, fail_on))


def _shown(
    paths: list[str], findings: Callable[[str], Report], output: Format, fail_on: Severity
) -> int:
    """Show what is found in each file; return the exit code."""
    worst = Severity.INFO.rank + 1
    troubles: list[Trouble] = []

    def results() -> Iterator[tuple[str, Report]]:
        nonlocal worst
        for path in paths:
            try:
                result = findings(path)
            except Trouble as error:
                troubles.append(error)
                continue
            worst = min([worst, *(one.severity.rank for one in result.findings)])
            yield path, result

    render = formats.load(output.value)
    more = {"columns": columns(sys.stdout)} if output is Format.human else {}
    for chunk in render(results(), colour=colours(sys.stdout), summary=False, **more):
        say(chunk)
    for one in troubles:
        tell(f"pcsf: {one}", err=True)
    return 2 if troubles else int(worst <= fail_on.rank)
