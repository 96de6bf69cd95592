"""What the verbs of `pcsf cso` share: options, errors as exit codes, where things go."""

from __future__ import annotations

import contextlib
import enum
import json
import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

import cso
from pcsf_lark.errors import PcsfError
from pcsf_lark.faces.cli.delivery import Log, deliver
from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.faces.cso.files import read_key, torn
from pcsf_lark.faces.files import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "File",
    "Ident",
    "KeyFile",
    "KeyFiles",
    "KidOption",
    "Master",
    "NeedsKey",
    "NeedsSession",
    "Session",
    "Shape",
    "ShapeOption",
    "answered",
    "json_text",
    "keyed",
    "print_json",
    "print_text",
    "ring",
    "told",
    "written",
]  # fmt: skip


class Shape(enum.StrEnum):
    """How results are shown."""

    text = "text"
    json = "json"


File = Annotated[
    str, typer.Argument(metavar="FILE", help="A state object (JSON), or - for standard input.")
]
Ident = Annotated[str, typer.Argument(metavar="ID", help="A fact's or decision's id.")]
_KEY = "A file of mode 600 with 64 hex digits or at least 32 raw bytes."
KeyFile = Annotated[
    str | None,
    typer.Option("--key-file", metavar="K", help=f"Sign the result with this key. {_KEY}"),
]
NeedsKey = Annotated[str, typer.Option("--key-file", metavar="K", help=_KEY)]
KeyFiles = Annotated[
    list[str],
    typer.Option("--key-file", metavar="K", help=f"{_KEY} Repeat it where keys were rotated."),
]
Session = Annotated[
    str | None, typer.Option("--session", metavar="S", help="The session the tag is for.")
]
NeedsSession = Annotated[
    str, typer.Option("--session", metavar="S", help="The session the tags are for.")
]
Master = Annotated[
    bool, typer.Option("--master", help="The file holds the master key; derive the session's.")
]
KidOption = Annotated[
    str, typer.Option("--kid", metavar="KID", help="A name for the key, kept in ext.crp.kid.")
]
ShapeOption = Annotated[Shape, typer.Option("--format", help="How the result is shown.")]

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@contextlib.contextmanager
def answered(name: str = "") -> Iterator[None]:
    """Say what went wrong; exit 1 for content, 2 for keys, files and calls."""
    try:
        yield
    except Trouble as error:
        usage_error(_harmless(str(error)))
    except cso.KeyMaterialError as error:
        usage_error(_harmless(str(error)))
    except cso.CsoError as error:
        name = next(iter(getattr(error, "__notes__", ())), name)
        for finding in error.findings[:20]:
            said = f"{finding.at}: {finding.message}" if finding.at else finding.message
            told(f"{name}: {said} [{finding.code}]" if name else f"{said} [{finding.code}]")
        if len(error.findings) > 20:
            told(f"and {len(error.findings) - 20:,} more")
        raise typer.Exit(1) from None
    except PcsfError as error:
        told(f"{name}: {error}" if name else str(error))
        raise typer.Exit(1) from None
    except RecursionError:
        told(f"{name}: nested too deep [limit]")
        raise typer.Exit(1) from None


def told(text: str) -> None:
    """Write a line to stderr."""
    say(f"pcsf: {_harmless(text)}", err=True)


def keyed(
    key_file: str | None, session: str | None, *, master: bool = False, kid: str = ""
) -> tuple[cso.Key, str] | None:
    """The key and session that options name, None without a key; exits 2 for half of them."""
    if key_file is None:
        if session is not None or master or kid:
            usage_error("--session, --master and --kid go with --key-file")
        return None
    if session is None:
        usage_error("--key-file needs --session: a tag is for one session")
    _plain(session)
    key = read_key(key_file, session, master=master, kid=kid)
    if torn(key_file):
        told(f"note: {key_file} holds hex digits, but not 64: taken as raw bytes")
    return key, session


def ring(key_files: Iterable[str], session: str, *, master: bool) -> list[cso.Key]:
    """The keys of several files."""
    _plain(session)
    keys = [read_key(path, session, master=master) for path in key_files]
    if len(keys) > 8:
        usage_error("at most eight --key-file: more would be a search")
    return keys


def _plain(session: str) -> None:
    if "\n" in session or not session.isprintable():
        usage_error("--session: a session id is printable text on one line")


def written(
    value: cso.CognitiveStateObject,
    output: str | None,
    *,
    key_file: str | None = None,
    session: str | None = None,
    master: bool = False,
) -> cso.CognitiveStateObject:
    """Write an object, signed if a key is given, to stdout or to the file -o names."""
    found = keyed(key_file, session, master=master)
    if found is not None:
        key, name = found
        placed = value if value.window_number else cso.bind(value)
        value = placed if placed.cso_hmac else cso.sign(placed, key, name)
    deliver(cso.dumps(value) + b"\n", output)
    return value


def report(members: dict[str, Any], log: Log) -> None:
    """Say on stderr what a change did: a line a member, or one JSON object."""
    if log is Log.json:
        say(json_text(members), err=True)
        return
    for name, value in members.items():
        shown = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        if value not in ([], (), "", None, {}):
            say(_harmless(f"{name.replace('_', ' ')}: {shown}"), err=True)


def json_text(value: Any) -> str:
    """One line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def print_json(value: Any) -> None:
    """Write one line of JSON to stdout, as UTF-8."""
    _out(json_text(value))


def print_text(text: str) -> None:
    """Write text to stdout; what it holds may not steer a terminal."""
    _out(_harmless(text))


def _out(text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    sys.stdout.buffer.write(data if data.endswith(b"\n") else data + b"\n")


def _harmless(text: str) -> str:
    return _STEERING.sub(lambda m: f"\\x{ord(m.group()):02x}", text)
