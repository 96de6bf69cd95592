"""Keys: derived by HKDF, held so that they never show (R10, R17).

A `Key` has a `kid` for the ring and a secret that no repr, error or log prints, and
that `attrs.asdict` does not find: what is kept of it is an HMAC that began with it.
HKDF and HMAC come from `cryptography` and the standard library.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from attrs import evolve, field, frozen

from cso.errors import KeyMaterialError
from cso.jcs import is_unicode

__all__ = [
    "INFO",
    "MIN_KEY",
    "Key",
    "KeyRing",
    "candidates",
    "hkdf",
    "key_ring",
    "parse_key",
    "session_key",
]

MIN_KEY = 32
"""The shortest key accepted, in bytes."""

INFO = b"crp-session-hmac-v3"
"""HKDF info of session keys (SPEC-015 §4.3)."""

# Without a kid each key is tried; more than this many would be a search.
_TRIED = 8


def _long_enough(value: Any) -> bytes:
    if not isinstance(value, bytes):
        raise KeyMaterialError("a key is bytes")
    if len(value) < MIN_KEY:
        raise KeyMaterialError(f"a key has at least {MIN_KEY} bytes, this one {len(value)}")
    return value


def _begun(secret: bytes | hmac.HMAC) -> hmac.HMAC:
    """Begin the HMAC of every message; a key given again has begun already."""
    return secret if isinstance(secret, hmac.HMAC) else hmac.new(_long_enough(secret), b"", sha256)


def _words(_: object, __: object, value: Any) -> None:
    if not isinstance(value, str):
        raise KeyMaterialError("a kid is text; give the key first")


@frozen(eq=False)
class Key:
    """A signing key; `kid` names it in objects and rings, empty for an unnamed one."""

    _secret: hmac.HMAC = field(repr=False, converter=_begun)
    kid: str = field(default="", validator=_words)

    def named(self, kid: str) -> Key:
        """Give the same key under another kid."""
        return evolve(self, kid=kid)

    def sign(self, message: bytes) -> str:
        """Give the tag of a message: `sha256:` and the HMAC-SHA256 in lower-case hex."""
        mac = self._secret.copy()
        mac.update(message)
        return "sha256:" + mac.hexdigest()

    def matches(self, message: bytes, tag: str) -> bool:
        """Compare a tag in constant time."""
        return hmac.compare_digest(self.sign(message).encode(), tag.encode("utf-8", "replace"))

    def __reduce__(self) -> str:
        """Refuse to be pickled: a copy on disk would be a leak."""
        raise KeyMaterialError("a key can't be pickled")


KeyRing = tuple[Key, ...]


def key_ring(keys: Key | bytes | Mapping[str, Key | bytes] | Iterable[Key | bytes]) -> KeyRing:
    """Make a ring of one key, several, or a mapping of kid to key."""
    if isinstance(keys, Key):
        return (keys,)
    if isinstance(keys, bytes):
        return (Key(keys),)
    if isinstance(keys, Mapping):
        return tuple(
            key.named(kid) if isinstance(key, Key) else Key(key, kid) for kid, key in keys.items()
        )
    return tuple(key if isinstance(key, Key) else Key(key) for key in keys)


_HEX = re.compile(rb"[0-9A-Fa-f]{64}")


def parse_key(data: bytes) -> bytes:
    """Read the content of a key file: 64 hex digits, or at least 32 raw bytes.

    White space around hex digits is not part of the key. Raises
    `KeyMaterialError`; the message shows nothing of the content.
    """
    text = data.strip()
    if _HEX.fullmatch(text):
        return bytes.fromhex(text.decode("ascii"))
    if len(data) < MIN_KEY:
        what = f"expected 64 hex digits or at least {MIN_KEY} raw bytes, got {len(data)} bytes"
        raise KeyMaterialError(what)
    return data


def candidates(ring: KeyRing, kid: str) -> KeyRing:
    """Give the keys to try for an object: the one it names, else the first eight."""
    if kid and any(key.kid for key in ring):
        return tuple(key for key in ring if key.kid == kid)
    return ring[:_TRIED]


def hkdf(ikm: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    """Derive key material by HKDF-SHA256 (RFC 5869).

    Raises `KeyMaterialError` for a key or a `length` that HKDF does not take.
    """
    # Imported late: loading it costs more than most calls that need no key.
    from cryptography.hazmat.primitives.hashes import SHA256  # noqa: PLC0415
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF  # noqa: PLC0415

    if not 1 <= length <= 255 * 32:
        raise KeyMaterialError("HKDF-SHA256 yields 1 to 8160 bytes", at="length")
    return HKDF(algorithm=SHA256(), length=length, salt=salt or None, info=info).derive(ikm)


def session_key(master: bytes, session: str, kid: str = "") -> Key:
    """Derive a session's key from the master key, which itself signs nothing (R10).

    Raises `KeyMaterialError` for a key that is none, or too short.
    """
    if not is_unicode(session):
        raise KeyMaterialError("a session id has no lone surrogate", at="session")
    return Key(hkdf(_long_enough(master), salt=session.encode(), info=INFO, length=32), kid)
