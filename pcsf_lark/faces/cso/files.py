"""State objects, keys and stores at the edge: bounded reads, and keys that never show."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cso
from pcsf_lark.faces import files
from pcsf_lark.faces.files import STDIN, Trouble, reason

if TYPE_CHECKING:
    from cso.store import Store

__all__ = ["MOST", "open_store", "read_bytes", "read_key", "read_object", "read_prior"]

#: The most bytes of one object, as `cso.Limits` has it.
MOST = cso.Limits().max_bytes
_MOST_KEY = 64 * 1024
_HEX = frozenset(b"0123456789abcdefABCDEF")


def read_bytes(path: str, limit: int = MOST) -> bytes:
    """A file's bytes, or standard input's; raises Trouble, also beyond the limit."""
    data = files.read_bytes(path, limit)
    if data is None:
        raise Trouble(path, f"more than {limit:,} bytes")
    return data


def read_object(path: str, *, strict: bool = False) -> cso.CognitiveStateObject:
    """The object in a file; raises Trouble, or `cso.ContentError` for what is none.

    Lenient unless asked: what is unknown here may still be under a tag.
    """
    try:
        return cso.loads(read_bytes(path), strict=strict)
    except cso.CsoError as error:
        error.add_note(path)  # of several files, which one
        raise


def read_prior(path: str) -> cso.CognitiveStateObject:
    """The object that others are built on, just as its tag has it: no member left out."""
    entry = cso.read_entries([read_bytes(path)])[0]
    if isinstance(entry, cso.CognitiveStateObject):
        return entry
    error = cso.ChainError(f"the prior is BROKEN: {entry.reason}")
    error.add_note(path)
    raise error


def read_key(path: str, session: str, *, master: bool = False, kid: str = "") -> cso.Key:
    """The key in a file: 64 hex digits, or at least 32 raw bytes, for its owner alone.

    With ``master`` the session's key is derived from it. Raises Trouble, which
    shows nothing of the content.
    """
    if path == STDIN:
        raise Trouble(path, "a key is read from a file of mode 600, not from standard input")
    try:
        with os.fdopen(_no_wait(path), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Trouble(path, "a key is a regular file")
            shared = stat.S_IMODE(status.st_mode) & 0o077
            if shared and os.name == "posix":
                mode = stat.S_IMODE(status.st_mode)
                raise Trouble(path, f"its mode is {mode:o}, others may use it; chmod 600 it")
            data = stream.read(_MOST_KEY + 1)
    except (OSError, ValueError) as error:
        raise Trouble(path, reason(error)) from None
    if len(data) > _MOST_KEY:
        raise Trouble(path, f"more than {_MOST_KEY:,} bytes; a key has 64 hex digits or raw bytes")
    try:
        secret = cso.parse_key(data)
        return cso.session_key(secret, session, kid) if master else cso.Key(secret, kid)
    except cso.KeyMaterialError as error:
        raise Trouble(path, str(error)) from None


def torn(path: str) -> bool:
    """Whether a key file holds hex digits alone, but not 64 of them: likely cut."""
    data = read_bytes(path, _MOST_KEY).strip()
    return len(data) not in (32, 64) and _HEX.issuperset(data)


def open_store(target: str, *, create: bool = False) -> Store:
    """The store at a path or URL; raises Trouble, or `cso.StoreDamagedError`."""
    try:
        from cso.store import Store  # noqa: PLC0415 - brings SQLAlchemy
    except ImportError as error:
        raise Trouble(target, str(error)) from None
    if "://" not in target:
        if Path(target).is_dir():
            raise Trouble(target, "is a folder; name a file")
        if not create and not Path(target).exists():
            raise Trouble(target, "there is no such store")
    store: Store = attempted(target, lambda: Store(target))
    return store


def attempted(target: str, action: Any) -> Any:
    """What an action on a store gives; the database's own errors become Trouble."""
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - likewise

    try:
        return action()
    except cso.CsoError:
        raise
    except (SQLAlchemyError, ImportError, OSError, ValueError) as error:
        # Not the whole text: it may name the user and the password of a URL.
        cause = getattr(error, "orig", None) or error
        where = target if "://" not in target else f"{target.split('://', maxsplit=1)[0]}://..."
        name = type(cause).__name__
        first = name if "://" in target else next(iter(f"{cause}".splitlines()), name)
        raise Trouble(where, f"the store cannot be used: {first}") from None


def _no_wait(path: str) -> int:
    """Open without waiting for the writer of a pipe."""
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    return os.open(path, os.O_RDONLY | flags | getattr(os, "O_BINARY", 0))
