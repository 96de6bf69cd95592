"""The verbs of `pcsf cso` that change an object: each writes the new one, and says what it did.

The object goes to stdout or to the file that -o names, unsigned unless a key is
given; what happened goes to stderr.
"""

from __future__ import annotations

from typing import Annotated

import typer

from pcsf_lark.faces.cli.cso.common import (
    answered,
    print_json,
    report,
    written,
)
from pcsf_lark.faces.cli.cso.options import (
    BecauseOption,
    ChoiceOption,
    File,
    Ident,
    LogOption,
    Made,
    RationaleOption,
    ReasonOption,
)
from pcsf_lark.faces.cli.delivery import Log

__all__ = ["advance", "answer", "invalidate", "reaffirm", "revise", "revision_window"]


def invalidate(
    path: File,
    name: Ident,
    *,
    reason: ReasonOption,
    log: LogOption = Log.text,
    made: Made,
) -> None:
    """Invalidate an item, and mark all that rests on it.

    Examples:
        # Take a fact back; what rested on it is told on standard error.
        pcsf cso invalidate state.json f1 --reason 'measured anew' -o changed.json
        #=> writes changed.json
        #=> root: f1
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        value, done = cso.invalidate(read_object(path), name, reason)
        written(value, made)
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
    choice: ChoiceOption,
    rationale: RationaleOption = "",
    because: BecauseOption,
    depends_on: Annotated[
        list[str] | None,
        typer.Option(
            "--depends-on",
            metavar="ID",
            help="Rest it on this item; repeat it for several. Default: what the old one rests on.",
            show_default=False,
        ),
    ] = None,
    new_id: Annotated[
        str | None,
        typer.Option(
            "--new-id",
            metavar="ID",
            help="Call it so. Default: the old id with .r1, .r2, ...",
            show_default=False,
        ),
    ] = None,
    log: LogOption = Log.text,
    made: Made,
) -> None:
    """Supersede a decision or a fact by a new one; the old one stays, marked.

    A fourth revision of one line, and any of what is not revisable, is for a
    human: then only the status changes, and the exit code is 1.

    Examples:
        # Decide anew.
        pcsf cso revise state.json d1 --choice 'Use a lock' --because f1 -o changed.json
        #=> writes changed.json
        #=> result: REVISED
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

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
        written(value, made)
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
    made: Made,
) -> None:
    """Declare that a marked item still holds, on what stands today.

    Examples:
        # Keep a decision after looking at it again.
        pcsf cso reaffirm marked.json d1 -o changed.json
        #=> writes changed.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        value = cso.reaffirm(read_object(path), name)
        written(value, made)


def revision_window(path: File, name: Ident, *, because: BecauseOption) -> None:
    """Print, as JSON, the goal and the context of a window that revises an item.

    Examples:
        # Prepare a session that is to decide something anew.
        pcsf cso revision-window state.json d1 --because f1
        #=> {"goal": ...
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

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
        list[str] | None,
        typer.Argument(metavar="[ENTRY]...", help="More finished entries, after --done."),
    ] = None,
    *,
    done: Annotated[
        list[str],
        typer.Option(
            "--done", metavar="ENTRY", help="Take this entry off, word for word as it stands."
        ),
    ],
    made: Made,
) -> None:
    """Take finished entries off what remains of the goal.

    Examples:
        # Tick off what is done.
        pcsf cso advance state.json --done 'Tell the team' -o changed.json
        #=> writes changed.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        value = cso.advance(read_object(path), [*done, *(more or [])])
        written(value, made)


def answer(
    path: File,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="The open question's text.")],
    *,
    ref: Annotated[
        str,
        typer.Option(
            "--ref", metavar="WHERE", help="Tell where its answer is: an item, a file, words."
        ),
    ],
    made: Made,
) -> None:
    """Move an open question to the resolved ones.

    Examples:
        # Note where a question's answer is.
        pcsf cso answer state.json 'Who owns it?' --ref f1 -o changed.json
        #=> writes changed.json
    """
    import cso
    from pcsf_lark.faces.cso.files import read_object

    with answered(path):
        value = cso.answer(read_object(path), question, ref)
        written(value, made)
