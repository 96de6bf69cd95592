"""What a call is about: its texts, capsules and logs, from its arguments or from files.

A log is worked on as a private copy, so that it is the file that was judged which is
read, and the state beside it likewise; the copy is gone with the call.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pcsf_lark.faces.mcp import scratch
from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.bounds import CAPSULE, LOG_FILE, LOG_TEXT, NAME
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pcsf_lark.faces.mcp.confinement import Roots
    from pcsf_lark.model import Capsule

__all__ = [
    "CAPSULE_INPUT",
    "Answer",
    "Grant",
    "capsule",
    "copied",
    "log_input",
    "named",
    "one_of",
    "source",
]

_LONGEST_NAME = 255
_BELOW = "Instead of it a file, by its path relative to a root of the server."
PATH = Argument("path", "string", _BELOW, most=NAME)


def one_of(about: str, *names: str) -> str:
    """What an argument is, of several of which one is needed.

    Schemas could say so by `anyOf`, which providers of models refuse at their top.
    """
    *first, last = (f"`{name}`" for name in names)
    return f"{about} Send exactly one of {', '.join(first)} and {last}."


CAPSULE_INPUT = (
    Argument(
        "text", "string", one_of("The capsule's text, as it is.", "text", "path"), most=CAPSULE
    ),
    PATH,
)


def log_input(*names: str) -> tuple[Argument, ...]:
    """The arguments for a log, where one of ``names`` is needed."""
    about = "The session log's text: JSON or JSON lines, as the program of the session wrote it."
    return (Argument("log", "string", one_of(about, *names), most=LOG_TEXT), PATH)


class Grant(NamedTuple):
    """What the server was started with: what calls may reach."""

    roots: Roots
    relay: str | None = None
    keys: tuple[str, ...] = ()
    master: bool = False


class Answer(NamedTuple):
    """What a tool gives: a few words, the result as JSON, and texts to be taken whole."""

    words: str
    members: dict[str, Any]
    texts: tuple[str, ...] = ()


def named(given: Mapping[str, Any], *names: str) -> str:
    """Which of several arguments is there: exactly one may be; raises Refusal."""
    found = [name for name in names if name in given]
    if len(found) > 1:
        raise Refusal(f"was sent beside `{found[0]}`", "send one of them alone", at=found[1])
    if not found:
        others = " or ".join(f"`{name}`" for name in names[1:])
        what = f"is missing, and no {others} was sent either"
        raise Refusal(what, "send exactly one of them", at=names[0])
    return found[0]


def source(given: Mapping[str, Any], grant: Grant) -> tuple[str, Source]:
    """The text that ``text`` holds or ``path`` leads to, and its name; raises Refusal."""
    if named(given, "text", "path") == "text":
        return "text", Source.of(given["text"])
    path = given["path"]
    stream, size = grant.roots.open(path)
    with stream:
        try:
            return path, Source.read(stream, size)
        except OSError as error:
            what = f"{path!r:.200} cannot be read: {error.strerror}"
            raise Refusal(what, "name another file", at="path", code="path") from None


def capsule(
    given: Mapping[str, Any], grant: Grant, take: Callable[[Source], Capsule]
) -> tuple[str, Capsule]:
    """The name and the tree of a capsule; raises Refusal, and CapsuleError for what is none."""
    name, text = source(given, grant)
    return name, take(text)


@contextlib.contextmanager
def copied(given: Mapping[str, Any], grant: Grant, *beside: str) -> Iterator[str]:
    """A private copy of a log, and of the files whose names are its own and a suffix.

    What is said of the copy is said of the log. Raises Refusal.
    """
    if named(given, "log", "path") == "log":
        data, name = given["log"].encode("utf-8", "replace"), _name(given["log"])
        files, told, moment = {name: data}, "log", None
    else:
        told = given["path"]
        # Its end tells readers what it is; a whole one may leave no room for a suffix.
        name = Path(told).name[-50:]
        files, moment = {name: grant.roots.read(told, LOG_FILE)}, grant.roots.written(told)
        for suffix in beside:
            if len(os.fsencode(Path(told).name + suffix)) <= _LONGEST_NAME:
                with contextlib.suppress(FileNotFoundError):
                    files[name + suffix] = _beside(grant, told + suffix)
    with scratch.folder() as folder:
        for one, data in files.items():
            (folder / one).write_bytes(data)
        if moment is not None:
            os.utime(folder / name, (moment, moment))
        try:
            yield str(folder / name)
        except Exception as error:
            if isinstance(error, Refusal) or str(folder) not in str(error):
                raise
            what = str(error).replace(str(folder / name), told)
            mend = "send another log, or its `log_format` where there is that argument"
            raise Refusal(what, mend, at=named(given, "log", "path"), code="log") from None


def _beside(grant: Grant, path: str) -> bytes:
    try:
        return grant.roots.read(path, LOG_FILE)
    except Refusal as error:
        if error.code == "absent":
            raise FileNotFoundError from None
        raise


def _name(text: str) -> str:
    """A name by which readers tell a log of lines from a document."""
    first, _, rest = text.lstrip().partition("\n")
    with contextlib.suppress(ValueError, RecursionError):
        if rest.strip() and isinstance(json.loads(first), dict):
            return "log.jsonl"
    return "log.json"
