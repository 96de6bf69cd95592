"""`pcsf draft`: the state a session arrived at, drafted from its log without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pcsf_lark.faces.cli.terminal import say, trouble, usage_error
from pcsf_lark.faces.files import STDIN, Trouble, write
from pcsf_lark.faces.session.options import Part, SinceOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kernel.sessions import Log
    from pcsf_lark.draft import Draft

__all__ = ["command"]


def _file(name: str, text: str) -> Any:
    return typer.Option(*name.split(), metavar="FILE", help=text, show_default=False)


def command(
    path: Annotated[
        str,
        typer.Argument(metavar="LOG", help="A session log, of Pi, Claude Code or another agent."),
    ],
    *,
    output: Annotated[
        str | None, _file("-o --output", "Write the capsule to FILE. Default: standard output.")
    ] = None,
    cso: Annotated[
        str | None,
        _file("--cso", "Write the whole state object (JSON) to FILE, too. Default: to none."),
    ] = None,
    sources: Annotated[
        str | None,
        _file("--sources", "Tell in FILE which log entries are behind what. Default: in none."),
    ] = None,
    since: SinceOption = None,
    now: Annotated[
        str | None,
        typer.Option(
            "--now",
            metavar="TIME",
            help="Date it so, where the log tells no time: 2026-05-04T09:30Z. Default: when the log was last written.",
            show_default=False,
        ),
    ] = None,
    part: Part,
) -> None:
    """Draft a capsule, and a state object, from a session log, without a model.

    What stands in the draft is quoted from the log; what looks like a secret
    or personal data is withheld and counted. A person or a model should
    finish it: `pcsf prompt compress --draft FILE` hands it to one.

    Examples:
        # Draft a capsule of a session, and hand it to a model to finish.
        pcsf draft session.jsonl -o draft.pcsf
        #=> writes draft.pcsf
        #=> pcsf: drafted L1 ...
    """
    from pcsf_lark.faces.session.log import read_log  # noqa: PLC0415 - help needs none of it

    given = [name for name in (output, cso, sources) if name]
    if len(set(given)) < len(given):
        usage_error("the capsule, the state object and the sources need a place each")
    try:
        if any(name != STDIN and _is(path, name) for name in given):
            usage_error("the log is never written over; name another file")
        log = read_log(path, **part.named, earlier=True)
        made = _drafted(log, since, now, path)
        if output is not None:
            write(output, made.text)
        if cso is not None:
            from cso import codec  # noqa: PLC0415 - where the object is asked for

            write(cso, codec.dumps(made.cso, indent=1))
        if sources is not None:
            write(sources, (json.dumps(made.sources, ensure_ascii=False, indent=1) + "\n").encode())
        if output is None and STDIN not in given:
            write(STDIN, made.text)
    except Trouble as error:
        trouble(error)
    say(_told(made), err=True)


def _drafted(log: Log, since: str | None, now: str | None, path: str) -> Draft:
    from cso.errors import ContentError  # noqa: PLC0415 - a wrong call needs none of it
    from pcsf_lark.relay.inputs import drafted  # noqa: PLC0415 - likewise

    try:
        return drafted(log, path, since, now)
    except ContentError as error:
        raise Trouble("--now" if error.at == "now" else path, error.message) from None


def _is(path: str, other: str) -> bool:
    """Whether two names are one file."""
    try:
        return Path(path).samefile(other)
    except (OSError, ValueError):
        return False


def _told(made: Draft) -> str:
    """What was drafted, what was withheld, and that it is a draft."""
    counts = ", ".join(
        f"{layer} {len(entries)}"
        for layer, entries in (
            ("L1", made.capsule.skeleton),
            ("L2", made.capsule.negative),
            ("L3", made.capsule.internal),
            ("L4", made.capsule.relation),
            ("L5", made.capsule.loops),
        )
    )
    facts, decisions = (
        f"{len(items):,} {noun}{'s' * (len(items) != 1)}"
        for items, noun in ((made.cso.established_facts, "fact"), (made.cso.decisions, "decision"))
    )
    size = f"{len(made.text):,} of 1,200 bytes"
    lines = [f"pcsf: drafted {counts}; {size}; {facts}, {decisions} in the object"]
    if made.withheld:
        lines.append(f"pcsf: withheld {_counted(made.withheld)}")
    lines.append(
        "pcsf: this is a draft, quoted and not understood: a person or a model should finish it"
        " (pcsf prompt compress --draft FILE)"
    )
    return "\n".join(lines)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} ({count})" for kind, count in counts.items())
