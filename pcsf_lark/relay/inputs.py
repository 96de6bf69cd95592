"""What a file holds: a capsule, a state object or a session log; read as a push."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from cso import codec
from cso.decode import DEFAULT_LIMITS
from cso.errors import ContentError
from pcsf_lark.api import parse_source
from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.relay.incoming import of_capsule, of_draft, of_object
from pcsf_lark.source import Source

if TYPE_CHECKING:
    from kernel.sessions import Log
    from pcsf_lark.draft import Draft
    from pcsf_lark.relay.incoming import Incoming

__all__ = ["KINDS", "detected", "drafted", "read_push"]

KINDS = ("capsule", "cso", "log")
_FRAME = b"===PCSF"
_HEAD = 4096
_NO_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MEMBERS = ("goal_state", "window_number")


def detected(data: bytes, name: str = "") -> str:
    """What kind of push some bytes are; raises ContentError for bytes that are none."""
    start = data[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] in (b"{", b"["):
        return "cso" if _is_object(data) else "log"
    if name.endswith(".pcsf") or _FRAME in data[:_HEAD].upper():
        return "capsule"
    what = "neither a capsule, nor a state object (JSON), nor a session log"
    raise ContentError(what, code="kind")


def _is_object(data: bytes) -> bool:
    """Whether it is one JSON object with the members of a state object."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and all(name in value for name in _MEMBERS)


def read_push(
    path: str,
    *,
    data: bytes | None = None,
    kind: str | None = None,
    since: str | None = None,
    now: str | None = None,
    fmt: str | None = None,
    leaf: str | None = None,
    run: int = 0,
    capsule: str | None = None,
) -> Incoming:
    """Read a file as a push; ``data`` is what was read already, as from standard input.

    The rest is for logs: what comes after the entry ``since``, how the log is written, its
    branch and run, and the file of the ``capsule`` that somebody made of the draft. Raises
    RepositoryError for what cannot be read, CapsuleError and ContentError for what is
    refused.
    """
    given = _bytes(path) if data is None else data
    kind = kind or ("log" if fmt else detected(given, path))
    if kind != "log" and (capsule or leaf or fmt or since or run):
        raise RepositoryError(path, f"is a {kind}; that is for a log alone")
    if kind == "capsule":
        return of_capsule(parse_source(Source.of(given)))
    if kind == "cso":
        if len(given) > DEFAULT_LIMITS.max_bytes:
            raise RepositoryError(path, f"more than {DEFAULT_LIMITS.max_bytes:,} bytes")
        return of_object(codec.loads(given, strict=False))
    if data is not None:
        raise RepositoryError(path, "a log is read from a file; save it to one first")
    finished = parse_source(Source.of(_bytes(capsule))) if capsule else None
    return of_draft(drafted(_log(path, fmt, leaf, run), path, since, now), finished)


def _bytes(path: str) -> bytes:
    """A file's bytes, of a larger one the beginning: only a log may be so large."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | _NO_WAIT), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise RepositoryError(path, "is no plain file; - reads standard input")
            return stream.read(DEFAULT_LIMITS.max_bytes + 1)
    except OSError as error:
        raise RepositoryError(path, error.strerror or "cannot be read") from None


def _log(path: str, fmt: str | None, leaf: str | None, run: int) -> Log:
    from kernel.sessions import read_session  # noqa: PLC0415 - for logs alone

    try:
        log = read_session(Path(path), fmt=fmt, leaf=leaf, run=run, earlier=True)
    except (ValueError, KeyError, IndexError) as error:
        raise ContentError(f"no session log: {error}", code="log") from None
    if not log.messages:
        raise ContentError("a log without a message: there is nothing to draft", code="log")
    return log


def drafted(log: Log, path: str, since: str | None = None, now: str | None = None) -> Draft:
    """The draft of a log that was read from a path, as `pcsf draft` and pushes make it.

    The time of one that tells none is ``now``, or when its file was last written. Raises
    ContentError.
    """
    from pcsf_lark.draft import draft  # noqa: PLC0415 - for logs alone

    try:
        return draft(log, since=since, now=now or _written(path))
    except KeyError as error:
        raise ContentError(str(error.args[0]), code="log", at="since") from None
    except ValueError as error:
        raise ContentError(str(error), code="log", at="now") from None


def _written(path: str) -> str:
    """When a file was last written: as close to its last message as can be told."""
    moment = datetime.fromtimestamp(Path(path).stat().st_mtime, UTC)
    return moment.strftime("%Y-%m-%dT%H:%MZ")
