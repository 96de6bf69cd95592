"""The key of a repository: from PCSF_RELAY_KEY, or from `.pcsf/key`, never shown.

A key file is its owner's alone (mode 600); one that others may use is refused,
not mended, since it may have been read already.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from cso.errors import KeyMaterialError
from cso.keys import Key, parse_key
from pcsf_lark.relay.errors import RepositoryError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["VARIABLE", "find_key", "make_key", "read_key"]

#: The environment's variable that holds a key: 64 hex digits, or at least 32 bytes.
VARIABLE = "PCSF_RELAY_KEY"
_MOST = 64 * 1024
_HEX = frozenset(b"0123456789abcdefABCDEF")
_OPEN = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def find_key(path: Path | None, environ: Mapping[str, str]) -> Key:
    """The environment's key, else the file's; raises RepositoryError where there is none."""
    given = environ.get(VARIABLE, "")
    if given:
        return _key(VARIABLE, given.encode("utf-8", "surrogateescape"))
    if path is None:
        raise RepositoryError(VARIABLE, "there is no `.pcsf` folder here, so it must hold the key")
    return read_key(path)


def read_key(path: Path) -> Key:
    """The key in a file of mode 600; raises RepositoryError, which shows nothing of it."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | _OPEN), "rb") as stream:
            _private(path, os.fstat(stream.fileno()))
            data = stream.read(_MOST + 1)
    except FileNotFoundError:
        what = f"there is no key; copy it from where the relay was begun, or set {VARIABLE}"
        raise RepositoryError(str(path), what) from None
    except OSError as error:
        raise RepositoryError(str(path), error.strerror or "cannot be read") from None
    if len(data) > _MOST:
        raise RepositoryError(str(path), f"more than {_MOST:,} bytes; a key has 64 hex digits")
    return _key(str(path), data)


def _key(place: str, data: bytes) -> Key:
    """The key of some bytes; hex digits that are not 64 are a key that was cut."""
    digits = data.strip()
    if _HEX.issuperset(digits) and len(digits) not in (32, 64):
        raise RepositoryError(place, f"{len(digits)} hex digits; a key has 64, was it cut?")
    try:
        return Key(parse_key(data))
    except KeyMaterialError as error:
        raise RepositoryError(place, error.message) from None


def _private(path: Path, status: os.stat_result) -> None:
    """Refuse a key that is no regular file, or that others own or may use."""
    if not stat.S_ISREG(status.st_mode):
        raise RepositoryError(str(path), "a key is a regular file")
    if os.name != "posix":
        return
    mode = stat.S_IMODE(status.st_mode)
    if mode & 0o077:
        what = f"its mode is {mode:03o}, so others may use it; chmod 600 it, or make a new key"
        raise RepositoryError(str(path), what)
    if status.st_uid not in (os.geteuid(), 0):
        raise RepositoryError(str(path), "it belongs to another user")


def make_key(path: Path) -> bool:
    """Write a fresh key, whole and mode 600 from its first byte; whether there was none."""
    beside = path.with_name(f".pcsf-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(beside, flags, 0o600), "wb") as stream:
            stream.write(os.urandom(32).hex().encode() + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        os.link(beside, path)
    except FileExistsError:
        return False
    finally:
        beside.unlink(missing_ok=True)
    return True
