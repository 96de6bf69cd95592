"""`pcsf relay head`, `log`, `show`, `diff` and `verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from attrs import asdict

from pcsf_lark.faces.cli.cso.common import print_json, print_text
from pcsf_lark.faces.cli.cso.options import RequireOption
from pcsf_lark.faces.cli.delivery import Output, deliver
from pcsf_lark.faces.cli.relay.common import (
    Common,
    OnBranch,
    Shape,
    opened,
    refuse,
    relaying,
)
from pcsf_lark.faces.cli.terminal import usage_error

if TYPE_CHECKING:
    import cso
    from pcsf_lark.relay import Notes, Repository

__all__ = ["diff", "head", "log", "show", "verify"]

Ref = Annotated[
    str,
    typer.Argument(
        metavar="REF",
        help="A window: its number, its tag's beginning, a branch, HEAD or HEAD~N.",
    ),
]
Unchecked = Annotated[bool, typer.Option("--unchecked", help="Need no key, and verify no tag.")]
Whole = Annotated[bool, typer.Option("--cso", help="Print the signed state object.")]
_BUDGET = 6_000


def head(
    *,
    capsule: Annotated[bool, typer.Option("--capsule", help="Print the head capsule.")] = False,
    whole: Whole = False,
    prompt: Annotated[
        bool,
        typer.Option("--prompt", help="Print it for the next model: the state, marked as data."),
    ] = False,
    budget: Annotated[
        int,
        typer.Option(
            "--budget", min=0, metavar="N", help="Give the object this many characters of a prompt."
        ),
    ] = _BUDGET,
    unchecked: Unchecked = False,
    common: OnBranch,
    output: Output = None,
) -> None:
    """Print where the state stands, or hand it on: as capsule, object or prompt.

    Examples:
        # See where the state stands.
        pcsf relay head
        #=> window 2 sha256:...
        # Hand the capsule to the next session.
        pcsf relay head --capsule -o next.pcsf
        #=> writes next.pcsf
    """
    import cso

    if capsule + whole + prompt > 1:
        usage_error("give one of --capsule, --cso and --prompt")
    with relaying(), opened(common, keyless=unchecked) as relay:
        found = relay.head()
        if found is None:
            refuse("there is nothing yet; `pcsf relay push` begins")
        notes = _notes(found)
        if prompt:
            deliver(relay.prompt(budget=budget).encode("utf-8", "backslashreplace"), output)
        elif whole:
            deliver(cso.dumps(found) + b"\n", output)
        elif capsule:
            if notes is None or not notes.head:
                refuse("the head has no capsule: only objects were pushed, without a goal")
            deliver(notes.head.encode(), output)
        else:
            _window(relay, found, common.shape)


def show(
    ref: Ref = "HEAD",
    *,
    whole: Whole = False,
    unchecked: Unchecked = False,
    common: Common,
) -> None:
    """Print a window: what it holds, and what is on record of it.

    Examples:
        # Look at the window before the head.
        pcsf relay show HEAD~1
        #=> window 1 sha256:...
    """
    import cso

    with relaying(), opened(common, keyless=unchecked) as relay:
        found = relay.show(ref)
        if whole:
            deliver(cso.dumps(found) + b"\n", None)
        else:
            _window(relay, found, common.shape)


def _notes(value: cso.CognitiveStateObject) -> Notes | None:
    from pcsf_lark.relay import notes_of

    return notes_of(value)


def _window(relay: Repository, value: cso.CognitiveStateObject, shape: Shape) -> None:
    """One window, for people or as JSON."""
    from pcsf_lark.faces.relay.telling import standing

    members = standing(relay, value)
    if shape is Shape.json:
        print_json(members)
        return
    notes = _notes(value)
    heads = members["branches"]
    at = f" <- {', '.join(heads)}" if heads else ""
    kind = f": {notes.kind}" if notes is not None else ""
    print_text(f"window {value.window_number} {value.cso_hmac}{at}{kind}")
    print_text(f"goal: {value.goal_state.objective or 'none stated'}")
    counts = members["counts"].items()
    print_text(", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counts))
    for text in value.constraints:
        print_text(f"constraint: {text}")
    if notes is None:
        return
    for lost in notes.dropped:
        print_text(f"dropped: {lost.layer}: {lost.entry} ({lost.reason})")
    for one in notes.withheld:
        print_text(f"withheld: {one.id}: {one.text} ({one.reason})")
    for missing in notes.absent:
        print_text(f"absent: {missing.kind}: {missing.text} ({missing.reason})")


def log(
    *,
    common: OnBranch,
) -> None:
    """List the windows of a branch, the newest first.

    Examples:
        # See what was pushed, and when.
        pcsf relay log
        #=> 2 sha256:...
    """
    with relaying(), opened(common, keyless=True) as relay:
        rows = relay.log()
        if common.shape is Shape.json:
            print_json([asdict(row) for row in rows])
            return
        if not rows:
            print_text("nothing yet; `pcsf relay push` begins")
        for row in rows:
            at = f" <- {', '.join(row.branches)}" if row.branches else ""
            counts = (("dropped", row.dropped), ("withheld", row.withheld), ("absent", row.absent))
            of = f" of {row.topic!r}" if row.topic else ""
            told = "".join(f", {name} {number}" for name, number in counts if number)
            print_text(f"{row.window} {row.tag[:19]} {row.when} {row.kind}{of}{told}{at}")


def diff(
    a: Ref,
    b: Ref = "HEAD",
    *,
    unchecked: Unchecked = False,
    common: Common,
) -> None:
    """Print what changed from one window to another; exit 1 where something did.

    Examples:
        # See what the last push brought.
        pcsf relay diff HEAD~1
        #=> exit 1
        #=> added fact ...
    """
    with relaying(), opened(common, keyless=unchecked) as relay:
        found = relay.diff(a, b)
        if common.shape is Shape.json:
            print_json({"equal": not found, "changes": [asdict(one) for one in found]})
        else:
            for one in found:
                print_text(_line(asdict(one)))
        raise typer.Exit(int(bool(found)))


def _line(change: dict[str, Any]) -> str:
    what, kind, name = change["what"], change["kind"], change["name"]
    if what in ("changed", "marked"):
        return f"{what} {kind} {name}: {change['old']} -> {change['new']}"
    said = change["new"] or change["old"]
    return f"{what} {kind} {name}" + (f": {said}" if said != name else "")


def verify(
    *,
    key_file: Annotated[
        list[str] | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help="Try this key, too, where keys were changed; repeat it for several. Default: none.",
            show_default=False,
        ),
    ] = None,
    require: RequireOption = None,
    common: OnBranch,
) -> None:
    """Judge the branches, their head capsules, the audit trail and the store.

    A head capsule holds if it is what its window and the one before lead to. Exit 1
    where anything is broken; with --require valid also where a chain is not VALID.

    Examples:
        # Make sure that nothing was changed behind the relay's back.
        pcsf relay verify --require valid
        #=> idea: VALID, 2 windows
    """
    from pcsf_lark.relay.keys import read_key

    with relaying(), opened(Common(common.store, common.session)) as relay:
        found = relay.verify(common.branch, keys=[read_key(Path(path)) for path in key_file or ()])
        if common.shape is Shape.json:
            print_json(
                {
                    "sound": found.sound,
                    "valid": found.valid,
                    "branches": [_judged(asdict(one)) for one in found.branches],
                    "events": _judged({"verdict": asdict(found.events)}),
                    "damage": [asdict(one) for one in found.damage],
                }
            )
        else:
            for one in found.branches:
                windows = f"{one.windows} window{'s' * (one.windows != 1)}"
                print_text(f"{one.branch}: {_verdict(one.verdict, 'window')}, {windows}")
                print_text(f"  head capsules made again alike: {one.capsules} of {one.windows}")
                for window in one.differing:
                    print_text(f"  window {window}: its head capsule does not follow from it")
            print_text(f"events: {_verdict(found.events, 'event')}")
            for damage in found.damage:
                print_text(f"damage: {damage}")
        unmet = require is not None and not found.valid
        raise typer.Exit(int(not found.sound or unmet))


def _judged(row: dict[str, Any]) -> dict[str, Any]:
    verdict = row.pop("verdict")
    return {**row, **verdict, "status": verdict["status"].value}


def _verdict(verdict: cso.Verdict, unit: str) -> str:
    text = verdict.status.value
    if verdict.broken_at_window is not None:
        text += f" at {unit} {verdict.broken_at_window}"
    return text + (f" ({verdict.reason})" if verdict.reason else "")
