"""`pcsf check`: judge capsules."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.api import check_source, chosen
from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.cli.options import Format, Paths, Profile, ProfileOption, StdinName
from pcsf_lark.faces.cli.terminal import colours, say, usage_error
from pcsf_lark.faces.files import STDIN, Trouble, find, read
from pcsf_lark.report import formats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.report import Report

__all__ = ["command"]


def command(
    *,
    paths: Paths = None,
    output: Annotated[
        Format, typer.Option("--format", help="How results are shown.")
    ] = Format.human,
    profile: ProfileOption = Profile.interop,
    select: Annotated[
        list[str] | None,
        typer.Option(help="Only these rules: codes, code prefixes or names, comma-separated."),
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Not these rules: likewise.")] = None,
    fail_on: Annotated[
        Severity, typer.Option(help="The mildest severity that makes the exit code 1.")
    ] = Severity.ERROR,
    stdin_filename: StdinName = None,
) -> None:
    """Check capsules; exit 0 if clean, 1 on findings, 2 on trouble.

    Each finding names its place, its rule and the mend; `pcsf explain CODE`
    says more of a rule.
    """
    try:
        codes = chosen(_split(select), _split(ignore))
    except ValueError as error:
        usage_error(str(error))
    troubles: list[Trouble] = []
    worst = Severity.INFO.rank + 1

    def results() -> Iterator[tuple[str, Report]]:
        nonlocal worst
        for path in find(paths or ["."]):
            if isinstance(path, Trouble):
                troubles.append(path)
                continue
            try:
                report = check_source(read(path), profile=profile.value, codes=codes)
            except Trouble as trouble:
                troubles.append(trouble)
                continue
            for finding in report.findings:
                worst = min(worst, finding.severity.rank)
            yield (stdin_filename or STDIN) if path == STDIN else path, report

    render = formats.load(output.value)
    for chunk in render(results(), colour=colours(sys.stdout), summary=sys.stdout.isatty()):
        say(chunk)
    for trouble in troubles:
        say(f"pcsf: {trouble}", err=True)
    if troubles:
        raise typer.Exit(2)
    raise typer.Exit(int(worst <= fail_on.rank))


def _split(selectors: list[str] | None) -> list[str] | None:
    if selectors is None:
        return None
    return [word.strip() for selector in selectors for word in selector.split(",")]
