"""`pcsf relay init` and `push`."""

from __future__ import annotations

import enum
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pcsf_lark.errors import CapsuleError
from pcsf_lark.faces.cli.cso.common import print_json, print_text, told
from pcsf_lark.faces.cli.relay.common import (
    Change,
    Shape,
    ShapeOption,
    opened,
    relaying,
    tell,
)
from pcsf_lark.faces.cli.terminal import colours, show_refusal
from pcsf_lark.faces.files import STDIN
from pcsf_lark.faces.session.options import Part, SinceOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.relay import Incoming

__all__ = ["init", "push"]


class Kind(enum.StrEnum):
    """What a file is taken for."""

    capsule = "capsule"
    cso = "cso"
    log = "log"


def init(
    folder: Annotated[
        str, typer.Argument(metavar="[FOLDER]", help="Make .pcsf in this folder.")
    ] = ".",
    *,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="PATH|URL",
            help="Keep the state there, as in PostgreSQL for many machines. Default: "
            "PCSF_RELAY, else .pcsf/state.db. A password in a URL is not written down.",
            show_default=False,
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Name the session. Default: a fresh name.",
            show_default=False,
        ),
    ] = None,
    branch: Annotated[
        str, typer.Option("--branch", metavar="NAME", help="Name the first branch.")
    ] = "main",
    shape: ShapeOption = Shape.human,
) -> None:
    """Begin a relay: .pcsf with its store, its configuration and a key of mode 600.

    What is there already stays as it is. The key is taken from PCSF_RELAY_KEY where
    that is set; no output ever shows one.

    Examples:
        # Begin a relay for a project.
        pcsf relay init project
        #=> relay begun: project/.pcsf, session ...
    """
    from pcsf_lark.relay import Repository

    with relaying():
        found, fresh = Repository.init(folder, store=store, session=session, branch=branch)
        with found:
            home = found.home
            key = home.key if home.key is not None and home.key.exists() else None
            if os.environ.get("PCSF_RELAY_KEY"):
                key = None
            if shape is Shape.json:
                print_json(
                    {
                        "folder": str(home.folder),
                        "new": fresh,
                        "session": home.session,
                        "store": home.shown,
                        "branch": home.branch,
                        "key": str(key) if key else "PCSF_RELAY_KEY",
                    }
                )
                return
            begun = "begun" if fresh else "there already"
            print_text(f"relay {begun}: {_near(home.folder)}, session {home.session}")
            print_text(f"store: {home.shown if '://' in home.store else _near(Path(home.store))}")
            if key:
                print_text(f"key: {_near(key)}; whoever shares the state needs a copy of it")
            else:
                print_text("key: that of PCSF_RELAY_KEY")


def _near(path: Path | None) -> str:
    """A path as seen from here, where it is below."""
    here = Path.cwd()
    if path is not None and path.is_relative_to(here):
        return str(path.relative_to(here))
    return str(path)


def push(
    path: Annotated[
        str,
        typer.Argument(
            metavar="CAPSULE|CSO|LOG",
            help="A capsule, a state object (JSON) or a session log; - for standard input.",
        ),
    ],
    *,
    kind: Annotated[
        Kind | None, typer.Option("--as", help="Take the file for this. Default: found out.")
    ] = None,
    since: SinceOption = None,
    capsule: Annotated[
        str | None,
        typer.Option(
            "--capsule",
            metavar="FILE",
            help="Take the capsule that somebody made of a log's draft. Default: the draft.",
            show_default=False,
        ),
    ] = None,
    part: Part,
    common: Change,
) -> None:
    """Take a session's state into the chain, and print what was dropped for it.

    Checked, integrated with the head, verified and repaired, signed, stored, and
    stitched to the head capsule. Pushed twice, it is there once. Where other writers
    are first it is done again on what they left.

    Examples:
        # Hand on what this session knew.
        pcsf relay push capsule.pcsf
        #=> window 3 sha256:...
    """
    with relaying(path):
        time = common.time
        with opened(common) as relay:
            more = {"since": since, "capsule": capsule, **part.named}
            incoming = _incoming(path, kind, time, more)
            window = relay.push(incoming, now=time)
            tell(window, relay.branch, common.shape)
            if incoming.kind != "capsule":
                _warn(window.notes.head, "the head capsule, ")
            if common.store is None and common.session is None and common.branch is None:
                from pcsf_lark.hooks.starting import kept

                kept(relay)


def _incoming(path: str, kind: Kind | None, now: str | None, more: Mapping[str, Any]) -> Incoming:
    from pcsf_lark.emit.verbatim import verbatim
    from pcsf_lark.faces.cso.files import read_bytes
    from pcsf_lark.relay import read_push

    data = read_bytes(path) if path == STDIN else None
    try:
        found = read_push(path, data=data, kind=kind.value if kind else None, now=now, **more)
    except CapsuleError as error:
        show_refusal(more["capsule"] or path, error, colour=colours(sys.stderr))
        raise typer.Exit(1) from None
    if found.veiled:
        counts = ", ".join(f"{kept} ({number})" for kept, number in found.veiled.items())
        told(f"withheld from the draft: {counts}")
    if (found.kind == "capsule" or more["capsule"]) and found.capsule is not None:
        _warn(verbatim(found.capsule))
    return found


def _warn(text: bytes | str, where: str = "") -> None:
    """Tell secrets and instructions in a capsule: what is signed stays."""
    from pcsf_lark.api import check_source, chosen
    from pcsf_lark.source import Source

    if not text:
        return
    source = Source.of(text)
    for finding in check_source(source, codes=chosen(["S"])).findings:
        told(f"warning: {where}line {finding.span.line}: {finding.message} [{finding.code}]")
