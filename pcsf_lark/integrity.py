"""The INTEGRITY line's two values, over bytes (§2.10a, D6).

A CRC detects corruption and truncation. It is no authentication: whoever can
change the capsule can compute a new one.
"""

from __future__ import annotations

import zlib

__all__ = ["checksum", "insert", "write"]

_PREFIX = b"INTEGRITY: crc32="


def checksum(before: bytes, after: bytes = b"") -> str:
    """CRC-32 (IEEE 802.3) of a capsule without its INTEGRITY line and that line's LF.

    The text may come in two parts: what stands before the line, and after it.
    """
    return f"{zlib.crc32(after, zlib.crc32(before)):08x}"


def write(bare: bytes) -> bytes:
    """The INTEGRITY line, LF included, that makes ``bare`` a stamped capsule.

    ``chars`` counts its own digits, so that some lengths have two right
    answers (999 and 1000): the smaller is taken.
    """
    head = _PREFIX + checksum(bare).encode() + b" chars="
    size = len(bare) + len(head) + len(b"\n")
    digits = 1
    while len(str(size + digits)) != digits:
        digits += 1
    return head + str(size + digits).encode() + b"\n"


def insert(bare: bytes, offset: int) -> bytes:
    """Stamp a capsule: put its INTEGRITY line in at ``offset``, a line's start."""
    return bare[:offset] + write(bare) + bare[offset:]
