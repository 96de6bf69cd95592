"""`pcsf check`: judge capsules, and mend what can be mended."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pcsf_lark.api import chosen
from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.checking import Plan, run
from pcsf_lark.faces.cli.options import Format, Paths, Profile, StdinName
from pcsf_lark.faces.cli.terminal import colours, columns, say, tell, trouble, usage_error
from pcsf_lark.faces.config import Configurations
from pcsf_lark.faces.files import STDIN, Trouble, find
from pcsf_lark.report import formats
from pcsf_lark.report.text import named
from pcsf_lark.rules import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.faces.checking import Outcome

__all__ = ["Tally", "command", "show"]


def command(
    *,
    paths: Paths = None,
    output: Annotated[
        Format, typer.Option("--format", help="Print results in this form.")
    ] = Format.human,
    profile: Annotated[
        Profile | None,
        typer.Option(
            help="Read this language: interop has both layouts, prose only the spaced one, "
            "abnf the grammar to the letter. Default: interop.",
            show_default=False,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE,...",
            help="Apply only these rules: codes, beginnings of codes, or names. Default: all "
            "that are on by default.",
            show_default=False,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE,...",
            help="Do not apply these rules. Default: none.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        Severity | None,
        typer.Option(
            help="Exit 1 on findings of this severity, and worse ones. Default: error.",
            show_default=False,
        ),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply safe fixes, in place.")] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option(
            "--unsafe-fixes",
            help="With --fix or --diff: apply fixes that may change the meaning, too.",
        ),
    ] = False,
    diff: Annotated[
        bool,
        typer.Option(
            "--diff", help="Write nothing; show what --fix would change, and exit 1 if anything."
        ),
    ] = False,
    restamp: Annotated[
        bool,
        typer.Option("--restamp", help="With --fix or --diff: replace a stale INTEGRITY, too."),
    ] = False,
    config: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Take this configuration for all files. Default: the nearest pcsf.toml, or "
            "pyproject.toml with a table tool.pcsf, above each file.",
            show_default=False,
        ),
    ] = None,
    isolated: Annotated[
        bool, typer.Option("--isolated", help="Take no configuration at all.")
    ] = False,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Pass over the findings that this file pardons. Default: none.",
            show_default=False,
        ),
    ] = None,
    write_baseline: Annotated[
        bool,
        typer.Option(
            "--write-baseline", help="Write all findings into the --baseline file, and exit 0."
        ),
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", metavar="N", min=0, help="Use this many processes; 0: one a processor."
        ),
    ] = 1,
    stdin_filename: StdinName = None,
) -> None:
    """Check capsules; exit 0 if clean, 1 on findings, 2 on trouble.

    Each finding names its place, its rule and the mend; `pcsf explain CODE`
    says more of a rule. A missing path is trouble, a folder without capsules
    is clean.

    Examples:
        # Judge a capsule; without a path, all capsules below this folder.
        pcsf check capsule.pcsf
        #=> capsule.pcsf: conformant, ... of 1,200 bytes
        # Show what safe fixes would change, and exit 1 if anything.
        pcsf check --diff broken.pcsf
        #=> exit 1
        #=> --- broken.pcsf
        # Make them, in place.
        pcsf check --fix broken.pcsf
        #=> writes broken.pcsf
        #=> ...
    """
    special = fix or diff or unsafe_fixes or restamp or write_baseline or baseline is not None
    if special:
        from pcsf_lark.faces.cli import check_modes  # noqa: PLC0415 - mostly unused

        check_modes.agree(
            fix=fix,
            diff=diff,
            unsafe=unsafe_fixes,
            restamp=restamp,
            baseline=baseline,
            write=write_baseline,
        )
    try:
        # What is None here a configuration may say.
        asked: dict[str, Any] = {
            "profile": profile and profile.value,
            "fail_on": fail_on,
            "select": _split(select),
            "ignore": _split(ignore) or (),
        }
        given = Plan(
            profile=asked["profile"] or "interop",
            fail_on=fail_on or Severity.ERROR,
            codes=chosen(asked["select"], asked["ignore"]),
            pardons=check_modes.pardons(baseline) if special and not write_baseline else {},
            fix=fix or diff,
            write=not diff,
            unsafe=unsafe_fixes,
            restamp=restamp,
        )
        plans = _plans(
            paths or ["."], stdin_filename, given, asked, Configurations(config, isolated=isolated)
        )
        tally = Tally(run(plans, jobs))
        if fix or diff or write_baseline:
            code = check_modes.show(
                tally, output, diff=diff, baseline=baseline if write_baseline else None
            )
        else:
            show(tally, output)
            code = int(tally.fails)
    except Trouble as error:
        trouble(error)
    except (RuleError, ValueError) as error:
        usage_error(str(error))
    for told in tally.troubles:
        tell(f"pcsf: {named(str(told))}", err=True)
    raise typer.Exit(2 if tally.troubles else code)


def _split(selectors: list[str] | None) -> tuple[str, ...] | None:
    if selectors is None:
        return None
    return tuple(word.strip() for selector in selectors for word in selector.split(","))


def _plans(
    paths: Iterable[str],
    stdin_name: str | None,
    given: Plan,
    asked: dict[str, Any],
    settled: Configurations,
) -> Iterator[Plan | Trouble]:
    for path in find(paths):
        if isinstance(path, Trouble):
            yield path
            continue
        name = (stdin_name or STDIN) if path == STDIN else path
        plan: Plan | None = given._replace(path=path, name=name)
        if settings := settled.of(name):
            from pcsf_lark.faces import planning  # noqa: PLC0415 - where one is configured

            plan = planning.plan(given._replace(path=path, name=name), settings, **asked)
        if plan is not None:
            yield plan


class Tally:
    """The outcomes, and what the exit code rests on, counted as they pass."""

    def __init__(self, outcomes: Iterable[Outcome | Trouble]) -> None:
        self._outcomes = outcomes
        self.troubles: list[Trouble] = []
        self.fails = False

    def __iter__(self) -> Iterator[Outcome]:
        for outcome in self._outcomes:
            if isinstance(outcome, Trouble):
                self.troubles.append(outcome)
            else:
                self.fails |= outcome.fails
                yield outcome


def show(outcomes: Iterable[Outcome], output: Format, *, err: bool = False) -> None:
    """Write results in a format to stdout, or to stderr."""
    stream = sys.stderr if err else sys.stdout
    render = formats.load(output.value)
    results = ((outcome.name, outcome.report) for outcome in outcomes)
    more = {"columns": columns(stream)} if output is Format.human else {}
    for chunk in render(results, colour=colours(stream), summary=stream.isatty(), **more):
        say(chunk, err=err)
