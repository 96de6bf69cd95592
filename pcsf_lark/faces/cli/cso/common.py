"""What the verbs of `pcsf cso` share: errors as exit codes, keys, where things go."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from typing import TYPE_CHECKING, Any

import typer

from pcsf_lark.errors import PcsfError
from pcsf_lark.faces.cli.cso.options import Signer
from pcsf_lark.faces.cli.delivery import Log, deliver
from pcsf_lark.faces.cli.terminal import fitted, say, tell, usage_error
from pcsf_lark.faces.files import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import cso
    from pcsf_lark.faces.cli.cso.options import Made

__all__ = [
    "answered",
    "harmless_json",
    "json_text",
    "keyed",
    "print_json",
    "print_text",
    "report",
    "ring",
    "told",
    "written",
]


_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@contextlib.contextmanager
def answered(name: str = "") -> Iterator[None]:
    """Say what went wrong; exit 1 for content, 2 for keys, files and calls."""
    import cso

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
    tell(f"pcsf: {_harmless(text)}", err=True)


def keyed(signer: Signer) -> cso.Key:
    """The key that options name; exits 2 where it cannot serve."""
    from pcsf_lark.faces.cso.files import read_key, torn

    _plain(signer.session)
    key = read_key(signer.key_file, signer.session, master=signer.master, kid=signer.kid)
    if torn(signer.key_file):
        told(f"note: {signer.key_file} holds hex digits, but not 64: taken as raw bytes")
    return key


def ring(key_files: Iterable[str], session: str, *, master: bool) -> list[cso.Key]:
    """The keys of several files."""
    from pcsf_lark.faces.cso.files import read_key

    _plain(session)
    keys = [read_key(path, session, master=master) for path in key_files]
    if len(keys) > 8:
        usage_error("at most eight --key-file: more would be a search")
    return keys


def _plain(session: str) -> None:
    if "\n" in session or not session.isprintable():
        usage_error("--session: a session id is printable text on one line")


def written(value: cso.CognitiveStateObject, made: Made) -> None:
    """Write an object, signed if a key is given, to stdout or to the file -o names.

    Exits 2 where half of what a signature needs is given.
    """
    import cso

    if made.key_file is not None:
        if made.session is None:
            usage_error("--key-file needs --session: a tag is for one session")
        key = keyed(Signer(made.key_file, made.session, made.master))
        placed = value if value.window_number else cso.bind(value)
        value = placed if placed.cso_hmac else cso.sign(placed, key, made.session)
    elif made.session is not None or made.master:
        usage_error("--session and --master go with --key-file")
    deliver(cso.dumps(value) + b"\n", made.output)


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
    """One line of JSON, which may not steer a terminal either."""
    return harmless_json(json.dumps(value, ensure_ascii=False))


def harmless_json(text: str) -> str:
    """The same JSON, with what could steer a terminal in JSON's own escapes."""
    return _STEERING.sub(lambda m: f"\\u{ord(m.group()):04x}", text)


def print_json(value: Any) -> None:
    """Write one line of JSON to stdout, as UTF-8."""
    _out(json_text(value))


def print_text(text: str, *, verbatim: bool = False) -> None:
    """Write text to stdout; what it holds may not steer a terminal.

    On one it is folded, unless it is ``verbatim``, to be copied.
    """
    _out(_harmless(text) if verbatim else fitted(_harmless(text), sys.stdout))


def _out(text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    sys.stdout.buffer.write(data if data.endswith(b"\n") else data + b"\n")


def _harmless(text: str) -> str:
    return _STEERING.sub(lambda m: f"\\x{ord(m.group()):02x}", text)
