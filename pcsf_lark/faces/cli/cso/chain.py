"""`pcsf cso sign`, `verify`, `relay`, `repair` and `headers`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pcsf_lark.faces.cli.clock import utc_now
from pcsf_lark.faces.cli.cso.common import (
    answered,
    keyed,
    print_json,
    print_text,
    report,
    ring,
    told,
    written,
)
from pcsf_lark.faces.cli.cso.logs import judged
from pcsf_lark.faces.cli.cso.options import (
    File,
    KeyFiles,
    LogOption,
    Made,
    Master,
    NeedsSession,
    RequireOption,
    Shape,
    ShapeOption,
    Signer,
    Store,
)
from pcsf_lark.faces.cli.delivery import Log, Output, deliver, once

if TYPE_CHECKING:
    import cso

__all__ = ["headers", "relay", "repair", "sign", "verify"]

Prior = Annotated[str, typer.Argument(metavar="PRIOR", help="The object that was handed on.")]
New = Annotated[str, typer.Argument(metavar="NEW", help="The object of the next window.")]


def sign(
    path: File,
    *,
    signer: Signer,
    prior: Annotated[
        list[str] | None,
        typer.Option(
            "--prior",
            metavar="FILE",
            help="Sign it after this object; repeat it where it follows several. Default: the first.",
            show_default=False,
        ),
    ] = None,
    store: Store,
    output: Output = None,
) -> None:
    """Sign an object after its priors, or as the first of its chain; nothing is verified.

    One that is a draft of the next window already keeps its place.

    Examples:
        # Begin a chain.
        pcsf cso sign state.json --key-file key --session s1 -o first.json
        #=> writes first.json
        # Make a key that only you can read, where there is none yet, and sign with it.
        (umask 077; head -c 32 /dev/urandom > new.key)
        pcsf cso sign state.json --key-file new.key --session s1 -o first.json
        #=> writes first.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object, read_prior

    priors = prior or []
    once([path, *priors])
    with answered(path):
        key = keyed(signer)
        value = read_object(path)
        before = [read_prior(one) for one in priors]
        if before or not value.prior_cso_hash:
            value = cso.bind(value, *before)
        signed = cso.sign(value, key, signer.session)
        _stored(store, signer.session, signed)
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
        str | None,
        typer.Option(
            metavar="TAG",
            help="Let the first one follow this tag. Default: it begins the chain.",
            show_default=False,
        ),
    ] = None,
    shape: ShapeOption = Shape.text,
) -> None:
    """Judge a chain: VALID, PARTIAL, UNVERIFIED, or BROKEN where and why.

    BROKEN exits 1, the others 0 unless `--require valid`.

    Examples:
        # Make sure that a chain is whole, and every object as it was signed.
        pcsf cso verify signed.json next.json --key-file key --session s1
        #=> VALID
    """
    import cso
    from pcsf_lark.faces.cso.files import read_bytes
    from pcsf_lark.faces.cso.telling import known_anchor

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
    signer: Signer,
    prior_key_file: Annotated[
        list[str] | None,
        typer.Option(
            "--prior-key-file",
            metavar="FILE",
            help="Verify the prior with this key. Default: the --key-file.",
            show_default=False,
        ),
    ] = None,
    store: Store,
    shape: ShapeOption = Shape.text,
    output: Output = None,
) -> None:
    """Verify a new object against its prior, repair it, sign it, and print the headers.

    The object goes to stdout and the headers to stderr, or with -o the headers to
    stdout. Exits 1 where the prior is BROKEN, and where repair is not enough.

    Examples:
        # Hand a state on to the next window.
        pcsf cso relay signed.json draft.json --key-file key --session s1 -o handed.json
        #=> writes handed.json
        #=> CRP-Relay-...
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object, read_prior

    once([prior, new])
    with answered(new):
        key = keyed(signer)
        before, draft = read_prior(prior), read_object(new)
        keys = [key, *ring(prior_key_file or [], signer.session, master=signer.master)]
        done = cso.relay(before, draft, key, signer.session, keys=keys, timestamp=utc_now())
        _stored(store, signer.session, done.cso, events=done.events, key=key)
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
            print_text(lines, verbatim=True)


def _stored(
    place: Store,
    session: str,
    value: cso.CognitiveStateObject,
    *,
    events: tuple[cso.EventDraft, ...] = (),
    key: cso.Key | None = None,
) -> None:
    from pcsf_lark.faces.cso.files import attempted, open_store

    if place.store is None:
        return
    with open_store(place.store, create=True) as store:
        attempted(
            place.store,
            lambda: store.append(session, value, branch=place.branch, events=events, key=key),
        )


def repair(
    prior: Prior,
    new: New,
    *,
    log: LogOption = Log.text,
    made: Made,
) -> None:
    """Put back what a new object lost of its prior; nothing is verified.

    Examples:
        # Mend a state that a model wrote anew and shortened.
        pcsf cso repair state.json draft.json -o changed.json
        #=> writes changed.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    once([prior, new])
    with answered(new):
        fixed, done = cso.repair(read_object(prior), read_object(new))
        written(fixed, made)
        restored: dict[str, Any] = {kind: list(ids) for kind, ids in done.restored.items()}
        members = {"repaired": done.facts, "restored": restored}
        report(members if log is Log.json else restored, log)


def headers(
    path: File,
    *,
    prior: Annotated[
        str | None,
        typer.Option(
            "--prior",
            metavar="FILE",
            help="Score how much of this prior is preserved. Default: no score.",
            show_default=False,
        ),
    ] = None,
    shape: ShapeOption = Shape.text,
) -> None:
    """Print the CRP-Relay headers of an object; nothing is verified or repaired.

    Examples:
        # Get the headers for an HTTP request that carries a state.
        pcsf cso headers signed.json
        #=> CRP-Relay-...
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    once([path, *([prior] if prior else [])])
    with answered(path):
        value = read_object(path)
        before = read_object(prior) if prior else None
        score = cso.preservation(before, value) if before else None
        found = cso.relay_headers(value, score, prior=before)
        if shape is Shape.json:
            print_json({header.name: header.value for header in found})
        else:
            print_text("\n".join(map(str, found)), verbatim=True)
