"""`pcsf cso sign`, `verify`, `relay`, `repair` and `headers`."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

import cso
from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.cli.cso.common import (
    File,
    KeyFile,
    KeyFiles,
    KidOption,
    Master,
    NeedsKey,
    NeedsSession,
    Session,
    Shape,
    ShapeOption,
    answered,
    keyed,
    print_json,
    print_text,
    report,
    ring,
    told,
    written,
)
from pcsf_lark.faces.cli.cso.logs import RequireOption, judged
from pcsf_lark.faces.cli.delivery import Log, LogOption, Output, deliver, once
from pcsf_lark.faces.cso.files import attempted, open_store, read_bytes, read_object, read_prior
from pcsf_lark.faces.cso.telling import known_anchor

__all__ = ["headers", "relay", "repair", "sign", "verify"]

Prior = Annotated[str, typer.Argument(metavar="PRIOR", help="The object that was handed on.")]
New = Annotated[str, typer.Argument(metavar="NEW", help="The object of the next window.")]
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="STORE", help="Append it to a store: a path or a URL."),
]
Branch = Annotated[str, typer.Option("--branch", help="The store's branch.")]


def sign(
    path: File,
    *,
    key_file: NeedsKey,
    session: NeedsSession,
    master: Master = False,
    kid: KidOption = "",
    prior: Annotated[
        list[str] | None,
        typer.Option(
            "--prior", metavar="P", help="The signed object before it; several: a fan-in."
        ),
    ] = None,
    store: StoreOption = None,
    branch: Branch = "main",
    output: Output = None,
) -> None:
    """Sign an object after its priors, or as the first of its chain; nothing is verified.

    One that is a draft of the next window already keeps its place.
    """
    priors = prior or []
    once([path, *priors])
    with answered(path):
        key, name = keyed(key_file, session, master=master, kid=kid) or (None, "")
        value = read_object(path)
        before = [read_prior(one) for one in priors]
        if key is None:
            return
        if before or not value.prior_cso_hash:
            value = cso.bind(value, *before)
        signed = cso.sign(value, key, name)
        _stored(store, name, branch, signed)
        deliver(cso.dumps(signed) + b"\n", output)


def verify(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="A chain's objects, oldest first.")
    ],
    *,
    key_file: KeyFiles,
    session: NeedsSession,
    master: Master = False,
    require: RequireOption = None,
    anchor: Annotated[
        str | None, typer.Option(metavar="TAG", help="The tag that the first one follows.")
    ] = None,
    shape: ShapeOption = Shape.text,
) -> None:
    """Judge a chain: VALID, PARTIAL, UNVERIFIED, or BROKEN where and why.

    BROKEN exits 1, the others 0 unless `--require valid`.
    """
    once(paths)
    with answered():
        keys = ring(key_file, session, master=master)
        entries = cso.read_entries([read_bytes(path) for path in paths])
        if anchor is None:
            anchor = known_anchor(entries)
        verdict = cso.verify_chain(entries, keys, session, anchor=anchor)
        where = paths[verdict.index] if verdict.index is not None else ""
        judged(verdict, where, shape, require)


def relay(
    prior: Prior,
    new: New,
    *,
    key_file: NeedsKey,
    session: NeedsSession,
    master: Master = False,
    kid: KidOption = "",
    prior_key_file: Annotated[
        list[str] | None,
        typer.Option(
            "--prior-key-file", metavar="K", help="The key of the prior's tag, if another."
        ),
    ] = None,
    store: StoreOption = None,
    branch: Branch = "main",
    shape: ShapeOption = Shape.text,
    output: Output = None,
) -> None:
    """Verify a new object against its prior, repair it, sign it, and print the headers.

    The object goes to stdout and the headers to stderr, or with -o the headers to
    stdout. Exits 1 where the prior is BROKEN, and where repair is not enough.
    """
    once([prior, new])
    with answered(new):
        key, name = keyed(key_file, session, master=master, kid=kid) or (None, "")
        before, draft = read_prior(prior), read_object(new)
        if key is None:
            return
        keys = [key, *ring(prior_key_file or [], session, master=master)]
        done = cso.relay(before, draft, key, name, keys=keys, timestamp=utc_now())
        _stored(store, name, branch, done.cso, events=done.events, key=key)
        data = cso.dumps(done.cso) + b"\n"
        restored = {kind: list(ids) for kind, ids in done.repair.restored.items()}
        if shape is Shape.json:
            members = {
                "headers": {header.name: header.value for header in done.headers},
                "repaired": done.repair.facts,
                "restored": restored,
            }
            if output is None:
                print_json({**members, "cso": cso.members_of(done.cso)})
                return
            deliver(data, output)
            print_json(members)
            return
        deliver(data, output)
        for kind, ids in restored.items():
            told(f"restored {kind}: {', '.join(ids)}")
        lines = "\n".join(map(str, done.headers))
        if output is None:
            sys.stderr.write(f"{lines}\n")
        else:
            print_text(lines)


def _stored(
    target: str | None,
    session: str,
    branch: str,
    value: cso.CognitiveStateObject,
    *,
    events: tuple[cso.EventDraft, ...] = (),
    key: cso.Key | None = None,
) -> None:
    if target is None:
        return
    with open_store(target, create=True) as store:
        attempted(
            target, lambda: store.append(session, value, branch=branch, events=events, key=key)
        )


def repair(
    prior: Prior,
    new: New,
    *,
    key_file: KeyFile = None,
    session: Session = None,
    master: Master = False,
    log: LogOption = Log.text,
    output: Output = None,
) -> None:
    """Put back what a new object lost of its prior; nothing is verified."""
    once([prior, new])
    with answered(new):
        fixed, done = cso.repair(read_object(prior), read_object(new))
        written(fixed, output, key_file=key_file, session=session, master=master)
        restored: dict[str, Any] = {kind: list(ids) for kind, ids in done.restored.items()}
        members = {"repaired": done.facts, "restored": restored}
        report(members if log is Log.json else restored, log)


def headers(
    path: File,
    *,
    prior: Annotated[
        str | None,
        typer.Option("--prior", metavar="P", help="Its prior, for the preservation score."),
    ] = None,
    shape: ShapeOption = Shape.text,
) -> None:
    """Print the CRP-Relay headers of an object; nothing is verified or repaired."""
    once([path, *([prior] if prior else [])])
    with answered(path):
        value = read_object(path)
        before = read_object(prior) if prior else None
        score = cso.preservation(before, value) if before else None
        found = cso.relay_headers(value, score, prior=before)
        if shape is Shape.json:
            print_json({header.name: header.value for header in found})
        else:
            print_text("\n".join(map(str, found)))
