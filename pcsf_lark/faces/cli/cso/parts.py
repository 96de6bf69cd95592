"""`pcsf cso tool-refresh`, `tool-stale`, `archive`, `slice` and `integrate`.

As in `change`, the object goes to stdout or to -o, what happened to stderr.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pcsf_lark.faces.cli.cso.common import (
    answered,
    json_text,
    report,
    written,
)
from pcsf_lark.faces.cli.cso.options import File, LogOption, Made
from pcsf_lark.faces.cli.delivery import Log, once
from pcsf_lark.faces.cli.terminal import say, usage_error

if TYPE_CHECKING:
    import cso

__all__ = ["archive", "integrate", "slice_", "tool_refresh", "tool_stale"]

_HASH = re.compile(r"sha256:[0-9a-f]{64}").fullmatch
Scratch = Annotated[
    str, typer.Argument(metavar="SCRATCH", help="The tool result's id, as in provenance_ref.")
]
HashOrFile = "its sha256: hash, or a file with the raw output"


def _hash(given: str) -> str:
    import cso
    from pcsf_lark.faces.cso.files import read_bytes

    return given if _HASH(given) else cso.output_hash(read_bytes(given))


def _changed(done: cso.ToolChange) -> dict[str, Any]:
    return {
        "facts": list(done.facts),
        "affected": list(done.affected),
        "needs_review": list(done.needs_review),
    }


def tool_refresh(
    path: File,
    scratch: Scratch,
    *,
    old: Annotated[
        str, typer.Option("--old", metavar="HASH|FILE", help=f"The result before: {HashOrFile}.")
    ],
    new: Annotated[
        str, typer.Option("--new", metavar="HASH|FILE", help=f"The result now: {HashOrFile}.")
    ],
    log: LogOption = Log.text,
    made: Made,
) -> None:
    """Take in a tool's result fetched anew: another value invalidates its facts.

    Examples:
        # A tool was called again, and says something else now.
        pcsf cso tool-refresh state.json scratch-1 --old before.txt --new after.txt -o changed.json
        #=> writes changed.json
        #=> facts: f1
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    once([path, old, new])
    with answered(path):
        value, done = cso.on_tool_refresh(read_object(path), scratch, _hash(old), _hash(new))
        written(value, made)
        report(_changed(done), log)


def tool_stale(
    path: File,
    scratch: Scratch,
    *,
    log: LogOption = Log.text,
    made: Made,
) -> None:
    """Note that a tool's result grew old: its facts are stale, nothing is invalidated.

    Examples:
        # A result is a week old.
        pcsf cso tool-stale state.json scratch-1 -o changed.json
        #=> writes changed.json
        #=> facts: f1
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        value, done = cso.on_tool_stale(read_object(path), scratch)
        written(value, made)
        report(_changed(done), log)


def archive(
    path: File,
    *,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="FILE",
            help="Append the items to FILE, as lines of JSON. Default: to stderr.",
            show_default=False,
        ),
    ] = None,
    made: Made,
) -> None:
    """Move dead items out, and leave their digests; the items are written first.

    Examples:
        # Make room, and keep what goes.
        pcsf cso archive revised.json --to dead.jsonl -o changed.json
        #=> writes dead.jsonl
        #=> writes changed.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    if to is not None:
        _apart(to, path, made.output)
    with answered(path):
        value, done = cso.archive(read_object(path))
        lines = "".join(json_text(item) + "\n" for item in done.data)
        if to is not None:
            _append(to, lines)
        elif lines:
            say(lines.rstrip("\n"), err=True)
        written(value, made)


def _apart(to: str, *others: str | None) -> None:
    """Refuse to append to a file that holds, or is to hold, an object."""
    from pcsf_lark.faces.files import STDIN

    if to in {"", STDIN}:
        usage_error("--to needs the name of a file; without --to the items go to stderr")
    for other in others:
        if other not in {None, STDIN} and Path(to).resolve() == Path(other).resolve():
            usage_error(f"--to names {other}, which holds the object; name another file")


def _append(path: str, lines: str) -> None:
    from pcsf_lark.faces.files import Trouble

    try:
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(lines)
    except OSError as error:
        raise Trouble(path, f"not written: {error.strerror}") from None


def slice_(
    path: File,
    names: Annotated[list[str], typer.Argument(metavar="ID...", help="The items to begin with.")],
    *,
    questions: Annotated[
        bool, typer.Option("--questions", help="Take the open questions along.")
    ] = False,
    log: LogOption = Log.text,
    made: Made,
) -> None:
    """Cut out items and all they rest on, with all constraints, for a micro-task.

    Examples:
        # Give a helper what one decision needs, and no more.
        pcsf cso slice state.json d1 -o part.json
        #=> writes part.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        found = cso.slice_of(read_object(path), names, questions=questions)
        written(found.cso, made)
        report({"dangling": list(found.dangling), "resolved": found.resolved}, log)


def integrate(
    base_path: Annotated[str, typer.Argument(metavar="BASE", help="The object as it is now.")],
    contribution: Annotated[str, typer.Argument(metavar="CONTRIBUTION", help="What to merge in.")],
    *,
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="TAG",
            help="The tag of the object that the contribution was made from.",
        ),
    ],
    history: Annotated[
        list[str] | None,
        typer.Option(
            "--history",
            metavar="FILE",
            help="Know this earlier object, too, where the tag is not BASE's; repeat it for several. "
            "Default: none.",
            show_default=False,
        ),
    ] = None,
    log: LogOption = Log.text,
    made: Made,
) -> None:
    r"""Merge a contribution; exits 1 where its ground has moved, and changes nothing then.

    Examples:
        # Take in what a helper found out.
        pcsf cso integrate signed.json part.json \
          --base sha256:565084fd4ca5ba0c29afd5b0a8cb9afbd8adcae27decdff18c7c6d043a2d786f \
          -o changed.json
        #=> writes changed.json
        #=> added: ...
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    once([base_path, contribution, *(history or [])])
    with answered(contribution):
        before = [read_object(path) for path in history or []]
        value, done = cso.integrate(
            read_object(base_path),
            read_object(contribution),
            base=base,
            history={one.cso_hmac: one for one in before},
        )
        written(value, made)
        members = {
            name: list(getattr(done, name))
            for name in ("added", "superseded", "affected", "dangling")
        }
        report({**members, "unchanged": done.unchanged}, log)
