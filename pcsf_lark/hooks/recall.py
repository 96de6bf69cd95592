"""The context of a head, kept until the store changes: the next start has it at once.

    before = fingerprint(folder)
    text = …                       # from the store, its tags verified
    keep(folder, before, text)
    recalled(folder)               # that text, or None

Opening a store costs most of a second's half, and most starts find it as it was left.
What is kept stands in `.pcsf/.pcsf-head`, sealed with the project's key, beside a
fingerprint of the configuration, of the store's file and of what made the text. Laws: what
does not fit to the letter is not there; a store elsewhere, another key or an open
journal: likewise; nothing here raises.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import stat
from hashlib import sha256
from pathlib import Path

import pcsf_lark

__all__ = ["NAME", "fingerprint", "keep", "recalled"]

NAME = ".pcsf-head"
_CONFIG, _KEY, _STORE = "config.toml", "key", "state.db"
#: How a store of the project's own folder stands in its configuration.
_OWN = b'\nstore = "state.db"\n'
_JOURNALS = ("-journal", "-wal")
_ELSEWHERE = ("PCSF_RELAY", "PCSF_RELAY_KEY")
#: What makes a text of a head: an installation writes these anew, so a text that another
#: version made is not used. To ask for the version itself would cost a start 15 ms.
_MAKERS = (
    "__init__.py", "hooks/starting.py", "relay/looking.py", "relay/notes.py", "relay/prompt.py",
    "relay/sealing.py",
)  # fmt: skip
_BESIDE = ("cso/plain.py", "cso/render.py", "cso/slice.py", "cso/decode.py")
#: Where SQLite counts changes of a file.
_HEADER = 100
_SMALL = 4096
_LARGEST = 1 << 20
_MARK = b"pcsf head 1\n"
_SIZE = sha256().digest_size
_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def fingerprint(folder: Path | None) -> bytes:
    """What a text of this folder's head depends on; empty where it is not to be kept."""
    if folder is None or any(os.environ.get(name) for name in _ELSEWHERE):
        return b""
    with contextlib.suppress(OSError, ValueError):
        store = folder / _STORE
        config = _read(folder / _CONFIG, _SMALL)
        if _OWN not in config or any(os.path.lexists(f"{store}{end}") for end in _JOURNALS):
            return b""
        head = _read(store, _HEADER, whole=False)
        package = Path(pcsf_lark.__file__).parent
        files = [package / name for name in _MAKERS]
        files += [package.parent / name for name in _BESIDE]
        marks = [store.stat(), *(path.stat() for path in files)]
        told = "\n".join(f"{one.st_ino} {one.st_size} {one.st_mtime_ns}" for one in marks)
        return sha256(b"\n".join((config, head, told.encode()))).digest()
    return b""


def recalled(folder: Path | None) -> str | None:
    """The text that was kept for this very state, or None."""
    now = fingerprint(folder)
    if folder is None or not now:
        return None
    with contextlib.suppress(OSError, ValueError):
        data = _read(folder / NAME, _LARGEST)
        seal, body = data[len(_MARK) :][:_SIZE], data[len(_MARK) + _SIZE :]
        known = data.startswith(_MARK) and body.startswith(now)
        if known and hmac.compare_digest(seal, _seal(folder, body)):
            return body[len(now) :].decode("utf-8")
    return None


def keep(folder: Path | None, before: bytes, text: str) -> None:
    """Keep a text that was made of the state with this fingerprint."""
    if folder is None or not before or not text:
        return
    beside = folder / f".pcsf-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    try:
        body = before + text.encode("utf-8")
        data = _MARK + _seal(folder, body) + body
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        beside.replace(folder / NAME)
    except (OSError, ValueError):
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def _seal(folder: Path, body: bytes) -> bytes:
    """The body's seal by the project's key, which must be its owner's alone."""
    path = folder / _KEY
    status = path.stat()
    if os.name == "posix" and (status.st_mode & 0o077 or status.st_uid not in (os.geteuid(), 0)):
        raise ValueError("a key that others may use")
    key = _read(path, _SMALL)
    if len(key) < 32:
        raise ValueError("no key")
    return hmac.new(sha256(_MARK + key).digest(), body, sha256).digest()


def _read(path: Path, most: int, *, whole: bool = True) -> bytes:
    """The bytes of a plain file; ValueError for another, or one that is larger."""
    with os.fdopen(os.open(path, os.O_RDONLY | _FLAGS), "rb") as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise ValueError("no plain file")
        data = stream.read(most + whole)
    if whole and len(data) > most:
        raise ValueError("too large")
    return data
