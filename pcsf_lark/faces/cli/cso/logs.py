"""`pcsf cso audit verify` and `log`, and how verdicts are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from attrs import asdict

from pcsf_lark.faces.cli.cso.common import (
    answered,
    print_json,
    print_text,
    ring,
)
from pcsf_lark.faces.cli.cso.options import (
    KeyFiles,
    Master,
    Require,
    RequireOption,
    Shape,
    ShapeOption,
)
from pcsf_lark.faces.cli.delivery import deliver
from pcsf_lark.faces.cli.lazy import Group
from pcsf_lark.faces.cli.terminal import usage_error

if TYPE_CHECKING:
    import cso

__all__ = ["audit", "judged", "log", "verify"]


def judged(
    verdict: cso.Verdict, where: str, shape: Shape, require: Require | None, unit: str = "window"
) -> None:
    """Show a verdict and exit with its code."""
    import cso

    if shape is Shape.json:
        print_json({**asdict(verdict), "status": verdict.status.value, "path": where or None})
    else:
        text = verdict.status.value
        if verdict.broken_at_window is not None:
            text += f" at {unit} {verdict.broken_at_window}"
        text += f": {verdict.reason}" if verdict.reason else ""
        print_text(text + (f" ({where})" if where else ""))
    bad = verdict.status is cso.ChainStatus.BROKEN
    raise typer.Exit(int(bad or (require is not None and verdict.status != "VALID")))


audit = Group(
    "audit",
    """Judge audit trails.

    Examples:
        # Make sure that no event of a trail was changed or cut.
        pcsf cso audit verify trail.jsonl --key-file key --session s1
        #=> VALID
    """,
    {
        "verify": (
            "logs",
            "Judge a trail: VALID, PARTIAL, UNVERIFIED, or BROKEN at which event and why.",
        )
    },
    package="pcsf_lark.faces.cli.cso",
)


def verify(
    path: Annotated[
        str, typer.Argument(metavar="LOG", help="A trail, one JSON event a line, or - for stdin.")
    ],
    *,
    key_file: KeyFiles,
    session: Annotated[
        str,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Derive the key of this session, with --master. Default: none.",
            show_default=False,
        ),
    ] = "",
    master: Master = False,
    require: RequireOption = None,
    shape: ShapeOption = Shape.text,
) -> None:
    """Judge a trail: VALID, PARTIAL, UNVERIFIED, or BROKEN at which event and why.

    Examples:
        # Make sure that no event of a trail was changed or cut.
        pcsf cso audit verify trail.jsonl --key-file key --session s1
        #=> VALID
    """
    import cso
    from pcsf_lark.faces.cso.files import read_bytes

    with answered(path):
        if master and not session:
            usage_error("--master needs --session: a session's key is derived for it")
        keys = ring(key_file, session, master=master)
        events = cso.load_events(read_bytes(path))
        verdict = cso.verify_events(events, keys)
        where = f"line {verdict.index + 1}" if verdict.index is not None else ""
        judged(verdict, where, shape, require, "event")


def log(
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="A store: a path, or a database's URL.")
    ],
    *,
    session: Annotated[
        str | None,
        typer.Option(
            "--session", metavar="NAME", help="List this session. Default: all.", show_default=False
        ),
    ] = None,
    events: Annotated[
        bool,
        typer.Option(
            "--events", help="Print the audit trail of the --session, for `pcsf cso audit verify`."
        ),
    ] = False,
    shape: ShapeOption = Shape.text,
) -> None:
    """List what a store holds, oldest first, with the branches that end there.

    Examples:
        # See what was stored.
        pcsf cso log store.db
        #=> session s1: 2 objects
        # Take the audit trail out.
        pcsf cso log store.db --session s1 --events
        #=> {"data":{...
    """
    import cso
    from pcsf_lark.faces.cso.files import attempted, open_store

    if events and session is None:
        usage_error("--events needs --session: a trail is of one session")
    with answered(store), open_store(store) as opened:
        names = attempted(store, opened.sessions)
        if session is not None and session not in names:
            raise cso.UnknownIdError(f"no session {session!r:.80}", at="session")
        if events and session is not None:
            trail = attempted(store, lambda: opened.events(session))
            torn = [event for event in trail if isinstance(event, str)]
            if torn:
                raise cso.StoreDamagedError(torn[0], at="events")
            deliver(cso.dump_events(e for e in trail if not isinstance(e, str)), None)
            return
        rows = {
            name: attempted(store, lambda name=name: opened.log(name))
            for name in ([session] if session is not None else names)
        }
        if shape is Shape.json:
            print_json(
                {"sessions": {name: [asdict(row) for row in found] for name, found in rows.items()}}
            )
            return
        for name, found in rows.items():
            print_text(f"session {name}: {len(found)} object{'s' * (len(found) != 1)}")
            for row in found:
                heads = f" <- {', '.join(row.heads)}" if row.heads else ""
                print_text(
                    f"  {row.position} window {row.window_number} {row.tag[:23]} {row.cso_id}{heads}"
                )
