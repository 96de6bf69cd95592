"""How `pcsf aili` answers: results on stdout, notes and refusals on stderr, exit codes.

With --json a refusal is an object on stdout as well; trouble never is.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

import typer
from attrs import evolve

from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.log.spelling import stringify
from kernel.projection.log.storage import (
    LeafMovedError,
    LogLockedError,
    ReadOnlyLogError,
    TornWriteError,
)
from pcsf_lark.faces.aili.log import MIGRATION
from pcsf_lark.faces.cli.terminal import say, tell, trouble, usage_error
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.session.saying import show
from pcsf_lark.faces.session.text import harmless, notes_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernel.projection.snapshot import Snapshot
    from pcsf_lark.faces.aili.log import Given, Opened

__all__ = ["Declined", "answered", "note", "put", "worded", "writing"]


class Declined(Exception):  # noqa: N818 - the exit code's own word
    """What was asked for is refused, and why; the log is as it was."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


def worded(refusal: Refusal, snapshot: Snapshot) -> Refusal:
    """A refusal with the way to mend it, where the log is of a version only read."""
    if refusal.code != "read-only-version":
        return refusal
    version = snapshot.tree.version
    mend = MIGRATION if version in (1, 2) else "use a release that knows it"
    return evolve(refusal, message=f"Version {version} of the format is only read: {mend}.")


@contextlib.contextmanager
def answered(given: Given) -> Iterator[None]:
    """Say what went wrong, with the exit code of its kind."""
    try:
        yield
    except Declined as error:
        _refused(given, error.refusal)
    except LeafMovedError as error:
        _refused(given, Refusal("leaf-moved", f"{error}"))
    except ReadOnlyLogError as error:
        _refused(given, Refusal("read-only-version", f"{error}"))
    except (Trouble, LogLockedError, TypeError, ValueError) as error:
        trouble(error)
    except OSError as error:  # a log and settings are Trouble: standard output is left
        _forget_output()
        trouble(Trouble("standard output", error.strerror or str(error)))
    except (MemoryError, RecursionError):
        usage_error("the log is too large or too deeply nested for this")


@contextlib.contextmanager
def writing(path: str) -> Iterator[None]:
    """Tell an error of appending to a log from one of printing what was done; raises Trouble."""
    try:
        yield
    except TornWriteError as error:
        raise Trouble(path, str(error)) from None
    except OSError as error:
        raise Trouble(path, f"not written: {error.strerror or error}") from None


def _forget_output() -> None:
    """Let what could not be printed go nowhere, so that the end of the process says nothing more."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _refused(given: Given, refusal: Refusal) -> None:
    told = {"code": refusal.code, "message": refusal.message, "refs": list(refusal.refs)}
    if given.json:
        show(stringify({"error": told}))
    refs = f" [{' '.join(refusal.refs)}]" if refusal.refs else ""
    tell(f"pcsf: {given.path}: {harmless(refusal.message)} ({refusal.code}){refs}", err=True)
    raise typer.Exit(1) from None


def note(now: Opened) -> None:
    """Say what was odd about the settings, the log, and the branch."""
    notes = (*now.notes, *now.snapshot.diagnostics)
    if notes:
        say(notes_text(notes), err=True)


def put(now: Opened, value: Any, text: str, *, done: str = "") -> None:
    """Print a report: the value for a program, the text for a person.

    `done` is what was done to the log, said on stderr where the report cannot be printed.
    """
    try:
        show(stringify(value) if now.given.json else text, prose=not now.given.json)
        sys.stdout.flush()
    except OSError:
        if done:
            say(f"note: {done}", err=True)
        raise
