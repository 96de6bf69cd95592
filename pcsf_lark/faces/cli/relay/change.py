"""`pcsf relay branch`, `merge`, `revise`, `invalidate`, `close` and `gc`."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from pcsf_lark.faces.cli.cso.common import print_json, print_text
from pcsf_lark.faces.cli.cso.options import (
    BecauseOption,
    ChoiceOption,
    RationaleOption,
    ReasonOption,
)
from pcsf_lark.faces.cli.relay.common import (
    Change,
    Common,
    Ident,
    Shape,
    opened,
    relaying,
    tell,
)
from pcsf_lark.faces.cli.terminal import usage_error

__all__ = ["branch", "close", "gc", "invalidate", "merge", "revise"]


class Side(enum.StrEnum):
    """Whose content holds where both changed one thing."""

    ours = "ours"
    theirs = "theirs"


def branch(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A branch to begin. Default: list them.")
    ] = None,
    ref: Annotated[str, typer.Argument(metavar="[REF]", help="The window it begins at.")] = "HEAD",
    *,
    switch: Annotated[
        bool, typer.Option("--switch", help="Make it the current one; it may be there already.")
    ] = False,
    common: Common,
) -> None:
    """List the branches, begin one, or change to one.

    Examples:
        # See the branches, the current one marked.
        pcsf relay branch
        #=>   idea sha256:...
        #=> * main sha256:...
        # Try something, and leave main as it is.
        pcsf relay branch other --switch
        #=>   idea sha256:...
        #=>   main sha256:...
        #=> * other sha256:...
    """
    if switch and name is None:
        usage_error("--switch needs a name, as in `pcsf relay branch idea --switch`")
    with relaying(), opened(common, keyless=True) as relay:
        if name is not None:
            if not (switch and name in relay.branches()):
                relay.begin_branch(name, ref)
            if switch:
                relay.switch(name)
        found = relay.branches()
        if common.shape is Shape.json:
            print_json({"current": relay.branch, "branches": found})
            return
        for known, tag in found.items():
            print_text(f"{'*' if known == relay.branch else ' '} {known} {tag[:19]}")


def merge(
    other: Annotated[
        str, typer.Argument(metavar="BRANCH", help="The branch, or other REF, to join.")
    ],
    *,
    prefer: Annotated[
        Side | None,
        typer.Option(
            "--prefer",
            help="Keep this side's content where both changed one thing. Default: refuse.",
        ),
    ] = None,
    common: Change,
) -> None:
    """Join another branch's state to this one, in a window that follows both.

    Examples:
        # Take over what came of another branch.
        pcsf relay merge idea
        #=> window 3 sha256:...
    """
    with relaying(other):
        time = common.time
        with opened(common) as relay:
            done = relay.merge(other, prefer=prefer.value if prefer else None, now=time)
            tell(done, relay.branch, common.shape)


def revise(
    name: Ident,
    *,
    choice: ChoiceOption,
    rationale: RationaleOption = "",
    because: BecauseOption,
    common: Change,
) -> None:
    """Supersede a decision or a fact; what it was stays on record.

    A fourth revision of one line, and any of what may not be revised, is for a human:
    that is recorded, and the exit code is 1.

    Examples:
        # Decide anew, and say what changed.
        pcsf relay revise c53a0f524.l1.1 --choice 'Take two queues' --because 'one is full'
        #=> window 3 sha256:...
    """
    import cso

    with relaying():
        time = common.time
        with opened(common) as relay:
            window, done = relay.revise(name, choice, rationale, because=because, now=time)
            marked = list(done.affected)
            more = {"result": done.result.value, "new_id": done.new_id, "affected": marked}
            tell(window, relay.branch, common.shape, **more)
            if common.shape is Shape.human:
                print_text(f"{done.result.value.lower()}: {done.new_id or done.why}")
                _marked(marked)
            if done.result is not cso.RevisionResult.REVISED:
                raise typer.Exit(1)


def invalidate(
    name: Ident,
    *,
    reason: ReasonOption,
    common: Change,
) -> None:
    """Say that an item does not hold; all that rests on it is marked.

    Examples:
        # Take a fact back.
        pcsf relay invalidate c53a0f524.l4.1 --reason 'somebody is on call now'
        #=> window 3 sha256:...
    """
    with relaying():
        time = common.time
        with opened(common) as relay:
            window, done = relay.invalidate(name, reason, now=time)
            marked = list(done.affected)
            human = list(done.needs_human)
            tell(window, relay.branch, common.shape, affected=marked, needs_human=human)
            if common.shape is Shape.human:
                _marked(marked)


def _marked(names: list[str]) -> None:
    if names:
        print_text(f"needs revision: {', '.join(names)}")


def close(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The task's or question's text, as it stands.")
    ],
    *,
    ref: Annotated[
        str,
        typer.Option(
            "--ref",
            metavar="WHERE",
            help="Tell where a question's answer is: an item's id, a file, words. Default: nothing.",
            show_default=False,
        ),
    ] = "",
    common: Change,
) -> None:
    """Take a finished task off the goal, or an answered question off the open ones.

    Examples:
        # Tick off what is done.
        pcsf relay close 'Measure the lag'
        #=> window 3 sha256:...
    """
    with relaying():
        time = common.time
        with opened(common) as relay:
            tell(relay.close_loop(text, ref, now=time), relay.branch, common.shape)


def gc(
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Delete nothing; say what would be.")
    ] = False,
    common: Common,
) -> None:
    """Delete what interrupted writes left behind, once it is an hour old.

    Signed windows, branches and the audit trail are history and are never deleted;
    the store holds nothing unsigned.

    Examples:
        # See what could go.
        pcsf relay gc --dry-run
        #=> leftovers of interrupted writes: 0
    """
    with relaying(), opened(common, keyless=True) as relay:
        found = relay.gc(dry_run=dry_run)
        kept = relay.windows()
        if common.shape is Shape.json:
            rows = [{"path": str(one.path), "size": one.size} for one in found]
            print_json({"deleted": [] if dry_run else rows, "found": rows, "kept": kept})
            return
        for one in found:
            print_text(
                f"{'would delete' if dry_run else 'deleted'} {one.path} ({one.size:,} bytes)"
            )
        print_text(f"leftovers of interrupted writes: {len(found)}")
        print_text(f"signed windows, all kept: {kept}")
