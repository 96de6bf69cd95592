"""How `pcsf session` answers: results on stdout, notes and trouble on stderr, exit codes."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import TYPE_CHECKING, Any

import typer

from pcsf_lark.faces.cli.terminal import fitted, say, tell, trouble, usage_error
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.session import text as words
from pcsf_lark.faces.session.state import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.session.work import Opened

__all__ = ["answered", "note", "show", "spelled"]


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """Say what went wrong, with the exit code of its kind."""
    try:
        yield
    except Refused as error:
        tell(f"pcsf: {words.harmless(str(error))}", err=True)
        raise typer.Exit(1) from None
    except (Trouble, TypeError, ValueError) as error:
        trouble(error)
    except (MemoryError, RecursionError):
        usage_error("the log is too large or too deeply nested for this")


def note(session: Opened) -> None:
    """Say what was odd about the log, and where its state stems from another branch."""
    log, leaf = session.log, session.stored.leaf
    if log.diagnostics:
        say(words.notes_text(log.diagnostics), err=True)
    if leaf not in (None, log.leaf) and leaf not in {entry.id for entry in log.entries}:
        say(f"note: the state was made on the branch that ends in {leaf} (--leaf {leaf})", err=True)


def spelled(value: Any) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def show(text: str, *, prose: bool = False) -> None:
    """Write text and a line end; on a terminal a log may not steer it, and ``prose`` is folded."""
    if sys.stdout.isatty():
        text = words.harmless(text)
        text = fitted(text, sys.stdout) if prose else text
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
