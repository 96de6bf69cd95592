"""What a file holds: a capsule, a state object or a session log; read as a push."""

from __future__ import annotations

import json
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
    from pcsf_lark.draft import Draft
    from pcsf_lark.relay.incoming import Incoming

__all__ = ["KINDS", "detected", "read_push"]

KINDS = ("capsule", "cso", "log")
_FRAME = b"===PCSF"
_HEAD = 4096
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
) -> Incoming:
    """Read a file as a push; ``data`` is what was read already, as from standard input.

    ``since`` is for logs: what comes after this entry. Raises RepositoryError for
    what cannot be read, CapsuleError and ContentError for what is refused.
    """
    given = _bytes(path) if data is None else data
    kind = kind or detected(given, path)
    if kind == "capsule":
        return of_capsule(parse_source(Source.of(given)))
    if kind == "cso":
        if len(given) > DEFAULT_LIMITS.max_bytes:
            raise RepositoryError(path, f"more than {DEFAULT_LIMITS.max_bytes:,} bytes")
        return of_object(codec.loads(given, strict=False))
    if data is not None:
        raise RepositoryError(path, "a log is read from a file; save it to one first")
    return of_draft(_drafted(Path(path), since, now))


def _bytes(path: str) -> bytes:
    """A file's bytes, of a larger one the beginning: only a log may be so large."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(DEFAULT_LIMITS.max_bytes + 1)
    except OSError as error:
        raise RepositoryError(path, error.strerror or "cannot be read") from None


def _drafted(path: Path, since: str | None, now: str | None) -> Draft:
    from kernel.sessions import read_session  # noqa: PLC0415 - for logs alone
    from pcsf_lark.draft import draft  # noqa: PLC0415 - likewise

    try:
        log = read_session(path, earlier=True)
    except (ValueError, KeyError, IndexError) as error:
        raise ContentError(f"no session log: {error}", code="log") from None
    if not log.messages:
        raise ContentError("a log without a message: there is nothing to draft", code="log")
    try:
        return draft(log, since=since, now=now)
    except KeyError:
        raise ContentError(f"no entry {since!r:.80}", code="log", at="since") from None
    except ValueError as error:
        raise ContentError(str(error), code="log") from None
