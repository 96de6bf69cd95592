"""`pcsf conformance run`."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from pcsf_lark.faces.cli.conformance.choosing import scored
from pcsf_lark.faces.cli.conformance.options import Asking, Choice
from pcsf_lark.faces.cli.terminal import say

__all__ = ["run"]


class Output(enum.StrEnum):
    """How results are shown."""

    human = "human"
    json = "json"
    tap = "tap"
    junit = "junit"


def run(
    command: Annotated[
        list[str],
        typer.Argument(metavar="-- COMMAND...", help="What to score, with its arguments."),
    ],
    *,
    choice: Choice,
    asking: Asking,
    output: Annotated[
        Output, typer.Option("--format", help="How results are shown.")
    ] = Output.human,
) -> None:
    """Run a command on every case and score its answers.

    A decoder reads a capsule on standard input; it prints the JSON of
    `pcsf ast` and exits 0 if the capsule is valid, 1 if not; at level codes it
    prints {"codes": [...]} then. At level ops it is called as COMMAND fit
    --budget N, COMMAND stitch OLD NEW and COMMAND stamp, at level grammar as
    COMMAND match FILE RULE. An encoder reads that JSON and prints the
    canonical capsule, a formatter reads a capsule and prints it. Any other
    exit code, a crash or a time-out is no answer, and a refusal is one only
    from a command that accepts something. Exits 1 unless all pass.

    Examples:
        # Score a decoder, here one that accepts whatever is short enough.
        pcsf conformance run --run invalid/c2 -- sh -c 'test $(wc -c) -le 1200'
        #=> sh -c ...: 13 of 13 cases passed (13 passed)
        # Keep the record, for `pcsf conformance report` or a program.
        pcsf conformance run --run valid/minimal --format json -- true >results.json
        #=> writes results.json
    """
    found = scored(command, choice, asking)
    from pcsf_lark.conformance.reports import FORMATS  # noqa: PLC0415 - for this command alone

    say(FORMATS[output.value](found))
    raise typer.Exit(0 if found.clean else 1)
