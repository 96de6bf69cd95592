"""`pcsf relay branch`, `merge`, `revise`, `invalidate`, `close` and `gc`."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

import cso
from pcsf_lark.faces.cli.cso.common import print_json, print_text
from pcsf_lark.faces.cli.relay.common import (
    BranchOption,
    NowOption,
    SessionOption,
    Shape,
    ShapeOption,
    StoreOption,
    moment,
    opened,
    relaying,
    tell,
)
from pcsf_lark.faces.cli.terminal import usage_error

__all__ = ["branch", "close", "gc", "invalidate", "merge", "revise"]

Ident = Annotated[str, typer.Argument(metavar="ID", help="A fact's or decision's id.")]


class Side(enum.StrEnum):
    """Whose content holds where both changed one thing."""

    ours = "ours"
    theirs = "theirs"


def branch(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A branch to begin; default: list them.")
    ] = None,
    ref: Annotated[str, typer.Argument(metavar="[REF]", help="Where it begins.")] = "HEAD",
    *,
    switch: Annotated[
        bool, typer.Option("--switch", help="Make it the current one; it may be there already.")
    ] = False,
    store: StoreOption = None,
    session: SessionOption = None,
    shape: ShapeOption = Shape.human,
) -> None:
    """List the branches, begin one, or change to one."""
    if switch and name is None:
        usage_error("--switch needs a name")
    with relaying(), opened(store, session, keyless=True) as relay:
        if name is not None:
            if not (switch and name in relay.branches()):
                relay.begin_branch(name, ref)
            if switch:
                relay.switch(name)
        found = relay.branches()
        if shape is Shape.json:
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
        typer.Option("--prefer", help="Whose content holds where both changed one thing."),
    ] = None,
    into: BranchOption = None,
    now: NowOption = None,
    store: StoreOption = None,
    session: SessionOption = None,
    shape: ShapeOption = Shape.human,
) -> None:
    """Join another branch's state to this one, in a window that follows both."""
    with relaying(other):
        time = moment(now)
        with opened(store, session, into) as relay:
            done = relay.merge(other, prefer=prefer.value if prefer else None, now=time)
            tell(done, relay.branch, shape)


def revise(
    name: Ident,
    *,
    choice: Annotated[str, typer.Option("--choice", help="What is decided, or true, now.")],
    rationale: Annotated[str, typer.Option("--rationale", help="Why.")] = "",
    because: Annotated[str, typer.Option("--because", help="What is new: an item's id, or words.")],
    branch: BranchOption = None,
    now: NowOption = None,
    store: StoreOption = None,
    session: SessionOption = None,
    shape: ShapeOption = Shape.human,
) -> None:
    """Supersede a decision or a fact; what it was stays on record.

    A fourth revision of one line, and any of what may not be revised, is for a human:
    that is recorded, and the exit code is 1.
    """
    with relaying():
        time = moment(now)
        with opened(store, session, branch) as relay:
            window, done = relay.revise(name, choice, rationale, because=because, now=time)
            marked = list(done.affected)
            more = {"result": done.result.value, "new_id": done.new_id, "affected": marked}
            tell(window, relay.branch, shape, **more)
            if shape is Shape.human:
                print_text(f"{done.result.value.lower()}: {done.new_id or done.why}")
                _marked(marked)
            if done.result is not cso.RevisionResult.REVISED:
                raise typer.Exit(1)


def invalidate(
    name: Ident,
    *,
    reason: Annotated[str, typer.Option("--reason", help="Why it does not hold; recorded.")],
    branch: BranchOption = None,
    now: NowOption = None,
    store: StoreOption = None,
    session: SessionOption = None,
    shape: ShapeOption = Shape.human,
) -> None:
    """Say that an item does not hold; all that rests on it is marked."""
    with relaying():
        time = moment(now)
        with opened(store, session, branch) as relay:
            window, done = relay.invalidate(name, reason, now=time)
            marked = list(done.affected)
            tell(window, relay.branch, shape, affected=marked, needs_human=list(done.needs_human))
            if shape is Shape.human:
                _marked(marked)


def _marked(names: list[str]) -> None:
    if names:
        print_text(f"needs revision: {', '.join(names)}")


def close(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The task's or question's text, as it stands.")
    ],
    *,
    ref: Annotated[str, typer.Option("--ref", help="Of a question, where its answer is.")] = "",
    branch: BranchOption = None,
    now: NowOption = None,
    store: StoreOption = None,
    session: SessionOption = None,
    shape: ShapeOption = Shape.human,
) -> None:
    """Take a finished task off the goal, or an answered question off the open ones."""
    with relaying():
        time = moment(now)
        with opened(store, session, branch) as relay:
            tell(relay.close_loop(text, ref, now=time), relay.branch, shape)


def gc(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say it, and delete nothing.")] = False,
    store: StoreOption = None,
    session: SessionOption = None,
    shape: ShapeOption = Shape.human,
) -> None:
    """Delete what interrupted writes left behind, once it is an hour old.

    Signed windows, branches and the audit trail are history and are never deleted;
    the store holds nothing unsigned.
    """
    with relaying(), opened(store, session, keyless=True) as relay:
        found = relay.gc(dry_run=dry_run)
        kept = relay.windows()
        if shape is Shape.json:
            rows = [{"path": str(one.path), "size": one.size} for one in found]
            print_json({"deleted": [] if dry_run else rows, "found": rows, "kept": kept})
            return
        for one in found:
            print_text(
                f"{'would delete' if dry_run else 'deleted'} {one.path} ({one.size:,} bytes)"
            )
        print_text(f"leftovers of interrupted writes: {len(found)}")
        print_text(f"signed windows, all kept: {kept}")
