"""The verbs of `pcsf cso` that change an object: each writes the new one, and says what it did.

The object goes to stdout or to the file that -o names, unsigned unless a key is
given; what happened goes to stderr.
"""

from __future__ import annotations

from typing import Annotated

import typer

import cso
from pcsf_lark.faces.cli.cso.common import (
    File,
    Ident,
    KeyFile,
    Master,
    Session,
    answered,
    print_json,
    report,
    written,
)
from pcsf_lark.faces.cli.delivery import Log, LogOption, Output
from pcsf_lark.faces.cso.files import read_object

__all__ = ["advance", "answer", "invalidate", "reaffirm", "revise", "revision_window"]

Because = Annotated[str, typer.Option("--because", help="The new fact: an item's id, or words.")]


def invalidate(
    path: File,
    name: Ident,
    *,
    reason: Annotated[str, typer.Option("--reason", help="Why it does not hold; recorded.")],
    key_file: KeyFile = None,
    session: Session = None,
    master: Master = False,
    log: LogOption = Log.text,
    output: Output = None,
) -> None:
    """Invalidate an item, and mark all that rests on it."""
    with answered(path):
        value, done = cso.invalidate(read_object(path), name, reason)
        written(value, output, key_file=key_file, session=session, master=master)
        report(
            {
                "root": done.root,
                "affected": list(done.affected),
                "needs_human": list(done.needs_human),
                "dangling": list(done.dangling),
                "cycles": [list(cycle) for cycle in done.cycles],
            },
            log,
        )


def revise(
    path: File,
    name: Ident,
    *,
    choice: Annotated[str, typer.Option("--choice", help="What is decided now.")],
    rationale: Annotated[str, typer.Option("--rationale", help="Why.")] = "",
    because: Because,
    depends_on: Annotated[
        list[str] | None, typer.Option("--depends-on", metavar="ID", help="What it rests on.")
    ] = None,
    new_id: Annotated[
        str | None, typer.Option("--new-id", help="Default: ID.r1, ID.r2, ...")
    ] = None,
    key_file: KeyFile = None,
    session: Session = None,
    master: Master = False,
    log: LogOption = Log.text,
    output: Output = None,
) -> None:
    """Supersede a decision or a fact by a new one; the old one stays, marked.

    A fourth revision of one line, and any of what is not revisable, is for a
    human: then only the status changes, and the exit code is 1.
    """
    with answered(path):
        value, done = cso.revise(
            read_object(path),
            name,
            choice,
            rationale,
            because=because,
            depends_on=depends_on,
            new_id=new_id,
        )
        written(value, output, key_file=key_file, session=session, master=master)
        members = {
            "result": done.result.value,
            "new_id": done.new_id,
            "number": done.number,
            "affected": list(done.affected),
            "event": done.event,
            "why": done.why,
        }
        report(members, log)
        if done.result is not cso.RevisionResult.REVISED:
            raise typer.Exit(1)


def reaffirm(
    path: File,
    name: Ident,
    *,
    key_file: KeyFile = None,
    session: Session = None,
    master: Master = False,
    output: Output = None,
) -> None:
    """Declare that a marked item still holds, on what stands today."""
    with answered(path):
        value = cso.reaffirm(read_object(path), name)
        written(value, output, key_file=key_file, session=session, master=master)


def revision_window(path: File, name: Ident, *, because: Because) -> None:
    """Print, as JSON, the goal and the context of a window that revises an item."""
    with answered(path):
        found = cso.revision_window(read_object(path), name, because)
        print_json(
            {
                "goal": cso.members_of(found.goal),
                "choice": found.choice,
                "rationale": found.rationale,
                "alternatives": list(found.alternatives),
                "new_fact": found.new_fact,
                "dependents": list(found.dependents),
            }
        )


def advance(
    path: File,
    more: Annotated[
        list[str] | None, typer.Argument(metavar="[ENTRY]...", help="More finished entries.")
    ] = None,
    *,
    done: Annotated[
        list[str], typer.Option("--done", metavar="ENTRY", help="A finished entry, as it stands.")
    ],
    key_file: KeyFile = None,
    session: Session = None,
    master: Master = False,
    output: Output = None,
) -> None:
    """Take finished entries off what remains of the goal."""
    with answered(path):
        value = cso.advance(read_object(path), [*done, *(more or [])])
        written(value, output, key_file=key_file, session=session, master=master)


def answer(
    path: File,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The open question's text.")],
    *,
    ref: Annotated[str, typer.Option("--ref", help="Where its answer is.")],
    key_file: KeyFile = None,
    session: Session = None,
    master: Master = False,
    output: Output = None,
) -> None:
    """Move an open question to the resolved ones."""
    with answered(path):
        value = cso.answer(read_object(path), question, ref)
        written(value, output, key_file=key_file, session=session, master=master)
