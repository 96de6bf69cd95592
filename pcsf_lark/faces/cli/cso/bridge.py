"""`pcsf cso from-capsule`, `to-capsule`, and `call`."""

from __future__ import annotations

import enum
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from attrs import asdict

from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.cli.cso.common import (
    answered,
    json_text,
    told,
    written,
)
from pcsf_lark.faces.cli.cso.options import File, LogOption, Made
from pcsf_lark.faces.cli.delivery import (
    Log,
    Output,
    StampOption,
    capsule,
    deliver,
    source,
)
from pcsf_lark.faces.cli.options import OnePath
from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from pcsf_lark.passes.from_cso import Export

__all__ = ["call", "from_capsule", "to_capsule"]


class Mode(enum.StrEnum):
    """The modes of a goal: those of `cso.Mode`, which help does without."""

    DOCUMENT = "DOCUMENT"
    CONVERSATION = "CONVERSATION"
    TOOL = "TOOL"
    AGENTIC = "AGENTIC"


class Prefer(enum.StrEnum):
    """Whose place in the order of dropping is changed."""

    facts = "facts"


def from_capsule(
    path: OnePath,
    *,
    mode: Annotated[Mode, typer.Option(help="Give the goal this mode.")] = Mode.CONVERSATION,
    into_session: Annotated[
        bool,
        typer.Option("--into-session", help="Make ids that differ from those of other capsules."),
    ] = False,
    made: Made,
) -> None:
    """Make a state object of a capsule; `to-capsule` gives the very bytes back.

    Examples:
        # Go from a capsule to an object that can be signed and revised.
        pcsf cso from-capsule capsule.pcsf -o made.json
        #=> writes made.json
    """
    from pcsf_lark.operations import to_cso

    tree = capsule(path, source(path))
    with answered(path):
        value = to_cso(tree, mode=mode.value, into_session=into_session)
        written(value, made)


def to_capsule(
    path: File,
    *,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Write nothing and exit 1 where a live fact would not be kept."
        ),
    ] = False,
    budget: Annotated[
        int,
        typer.Option(
            metavar="BYTES", min=0, help="Keep within this; the format has no more than 1,200."
        ),
    ] = LIMIT,
    domain: Annotated[
        str,
        typer.Option(metavar="WORD", help="Write this domain, where no capsule gave one."),
    ] = "general",
    timestamp: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Date it so, as 2026-05-04T09:30Z. Default: as its capsule was, else now.",
            show_default=False,
        ),
    ] = None,
    prefer: Annotated[
        Prefer | None,
        typer.Option(
            help="Drop projected facts right after the MED loops, before L2. Default: after the HIGH loops."
        ),
    ] = None,
    stamp: StampOption = False,
    log: LogOption = Log.text,
    output: Output = None,
) -> None:
    """Write a state object as a capsule; the log tells all that is not in it.

    Examples:
        # Hand a state to a model that reads capsules.
        pcsf cso to-capsule state.json -o made.pcsf
        #=> writes made.pcsf
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object
    from pcsf_lark.operations import from_cso
    from pcsf_lark.passes.complement import complement_of

    with answered(path):
        given = read_object(path)
        time = timestamp or (None if complement_of(given)[0] else utc_now())
        try:
            made = from_cso(
                given,
                budget=budget,
                domain=domain,
                timestamp=time,
                prefer=prefer and prefer.value,
                stamp=stamp,
            )
        except cso.CsoError:
            raise
        except ValueError as error:
            if type(error) is not ValueError:
                raise
            usage_error(str(error))
        _tell(made, log)
        if strict and made.score < 1:
            told(f"{path}: not all facts are kept: {made.header}")
            raise typer.Exit(1)
        deliver(made.text, output)


def _tell(made: Export, log: Log) -> None:
    """Say on stderr what is not in the capsule, or stands there in other words."""
    if log is Log.json:
        figures = {
            "score": [made.score.numerator, made.score.denominator],
            "header": made.header,
            "kept": {name: list(pair) for name, pair in made.kept.items()},
            "dropped": [asdict(row) for row in made.dropped],
            "shortened": list(made.shortened),
            "escaped": list(made.escaped),
            "warnings": list(made.warnings),
        }
        say(json_text(figures), err=True)
        return
    for row in made.dropped:
        told(f"not in it: {row.layer}: {row.id}: {row.entry} ({row.reason})")
    for name, ids in (("shortened", made.shortened), ("escaped", made.escaped)):
        if ids:
            told(f"{name}: {', '.join(ids)}")
    for warning in made.warnings:
        told(f"warning: {warning}")
    kept = ", ".join(f"{name} {k} of {n}" for name, (k, n) in made.kept.items() if n)
    told(f"kept verbatim: {kept or 'nothing was there'}")


def call() -> None:
    """Answer JSON lines from standard input with JSON lines, for other languages.

    `{"id", "kind", "input"}` is answered with `{"id", "output"}`, anything else
    with `{"id", "error": {"code", "message", "at"}}`; then the stream goes on.

    Examples:
        # Call an operation from any language.
        echo '{"id": 1, "kind": "jcs_number", "input": {"floats": [1e21, 0.10]}}' | pcsf cso call
        #=> {"id":1,"output":{...
    """
    from cso.call import Exchange
    from pcsf_lark.faces.cso.call import HANDLERS
    from pcsf_lark.faces.cso.files import MOST

    exchange = Exchange(more=HANDLERS)
    stream = sys.stdin.buffer
    while line := stream.readline(MOST + 2):
        rest = line
        while len(rest) > MOST and not rest.endswith(b"\n"):
            rest = stream.readline(MOST + 2)  # the line is refused as a whole
        try:
            answer = exchange.answer(line.rstrip(b"\r\n"))
        except Exception as error:  # noqa: BLE001 - one line must not end the stream
            what = f"a fault of pcsf itself: {type(error).__name__}"
            answer = json_text(
                {"id": None, "error": {"code": "internal", "message": what, "at": ""}}
            )
        sys.stdout.buffer.write(answer.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()
