"""`pcsf conformance`: score any implementation, in any language."""

from __future__ import annotations

import enum
import json
import os
import shlex
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.terminal import say, usage_error

if TYPE_CHECKING:
    from pcsf_lark.conformance import Case, Outcome

__all__ = ["app"]

_SHORTEST, _LONGEST = 0.01, 3600.0

app = typer.Typer(
    name="conformance",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _conformance() -> None:
    """Score any implementation of PCSF, in any language, by its answers."""


class Level(enum.StrEnum):
    """What a decoder is held to."""

    verdict = "verdict"
    codes = "codes"
    tree = "tree"
    ops = "ops"
    grammar = "grammar"


class Role(enum.StrEnum):
    """What the command is."""

    decoder = "decoder"
    encoder = "encoder"
    formatter = "formatter"


class Output(enum.StrEnum):
    """How results are shown."""

    human = "human"
    json = "json"
    tap = "tap"
    junit = "junit"


class Listing(enum.StrEnum):
    """How the list is shown."""

    human = "human"
    json = "json"


LevelOption = Annotated[
    Level, typer.Option(help="verdict, or besides the verdict codes or tree; or ops, or grammar.")
]
RoleOption = Annotated[Role, typer.Option("--as", help="What the command is.")]
RunOption = Annotated[
    list[str] | None, typer.Option("--run", metavar="GLOB", help="Only cases that fit, by name.")
]
SkipOption = Annotated[
    list[str] | None, typer.Option("--skip", metavar="GLOB", help="Not these cases.")
]
IndexOption = Annotated[
    list[str] | None,
    typer.Option("--index", metavar="NAME", help="Only cases of an index: v1, spaced, ..."),
]


@app.command("run")
def _run(
    command: Annotated[
        list[str],
        typer.Argument(metavar="-- COMMAND...", help="What to score, with its arguments."),
    ],
    *,
    role: RoleOption = Role.decoder,
    level: LevelOption = Level.verdict,
    run: RunOption = None,
    skip: SkipOption = None,
    index: IndexOption = None,
    skip_must_fail: Annotated[
        bool, typer.Option("--skip-must-fail", help="Run skipped cases too; one that passes fails.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(help="Seconds that a case may take: 0.01 to 3600.")
    ] = 10.0,
    jobs: Annotated[
        int, typer.Option(min=0, max=256, help="Cases at a time; 0: as many as CPUs.")
    ] = 0,
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
    """
    if not _SHORTEST <= timeout <= _LONGEST:  # so that nan is none
        usage_error(f"--timeout takes {_SHORTEST} to {_LONGEST} seconds, not {timeout}")
    if not hasattr(os, "killpg"):
        usage_error("conformance run needs a POSIX system: what hangs is ended as a process group")
    # A command may end without reading what it is given; that must not end us.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    suite, chosen, skipped = _chosen(role, level, run, skip, index, retry=skip_must_fail)
    from pcsf_lark.faces.scoring import score  # noqa: PLC0415 - for this command alone

    try:
        outcomes = score(
            command,
            chosen,
            skipped,
            suite=suite,
            timeout=timeout,
            jobs=jobs or os.cpu_count() or 1,
            retry=skip_must_fail,
        )
    except OSError as error:
        usage_error(f"{command[0]}: {error.strerror}")
    title = f"{shlex.join(command)} ({role.value}, level {level.value})"
    say(_rendered(output, title, outcomes))
    raise typer.Exit(int(any(one.result in ("failed", "broken") for one in outcomes)))


def _rendered(output: Output, title: str, outcomes: list[Outcome]) -> str:
    from pcsf_lark.conformance.reports import FORMATS  # noqa: PLC0415 - for this command alone

    return FORMATS[output.value](title, outcomes)


@app.command("list")
def _list(
    *,
    role: RoleOption = Role.decoder,
    level: LevelOption = Level.verdict,
    run: RunOption = None,
    skip: SkipOption = None,
    index: IndexOption = None,
    output: Annotated[
        Listing, typer.Option("--format", help="How the list is shown.")
    ] = Listing.human,
) -> None:
    """List the cases: name, what is right, and what that rests on."""
    _, chosen, _ = _chosen(role, level, run, skip, index)
    if output is Listing.json:
        rows = [
            {
                "name": case.name,
                "exit": case.expected.exit,
                "codes": sorted(case.expected.codes or ()),
                "arguments": list(case.arguments),
                "spec": case.spec,
            }
            for case in chosen
        ]
        say(json.dumps(rows, indent=1))
        return
    for case in chosen:
        say(f"{case.name}  exit {case.expected.exit}  {case.spec}".rstrip())


def _chosen(
    role: Role,
    level: Level,
    run: list[str] | None,
    skip: list[str] | None,
    index: list[str] | None,
    *,
    retry: bool = False,
) -> tuple[tuple[Case, ...], list[Case], list[Case]]:
    """All cases, those asked for, and those left out.

    Nothing to ask is a mistake in the call; with ``retry`` skipped ones are asked too.
    """
    from pcsf_lark import conformance  # noqa: PLC0415 - for these commands alone
    from pcsf_lark.conformance.suite import index as names_of  # noqa: PLC0415 - likewise

    if role is not Role.decoder and level is not Level.verdict:
        usage_error(f"--level is for decoders; what --as {role.value} writes is held to its bytes")
    suite = found = conformance.cases(role.value, level.value)
    for name in index or []:
        try:
            names = names_of(name)
        except KeyError as error:
            usage_error(str(error.args[0]))
        found = tuple(case for case in found if case.name.partition("+")[0] in names)
    chosen, skipped = conformance.select(found, run or (), skip or ())
    if not chosen and not (retry and skipped):
        usage_error("no case is selected; `pcsf conformance list` names them all")
    return suite, chosen, skipped
