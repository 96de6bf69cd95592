"""The INTEGRITY line, put on and taken off (§2.10a, D6).

A stamp tells that a capsule was cut or changed on its way. It says nothing of
who wrote it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.errors import Unfittable
from pcsf_lark.passes.canonical import canonical
from pcsf_lark.passes.measure import bare_size, parts, stamp_size
from pcsf_lark.spec import LIMIT
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule

__all__ = ["is_due", "matches", "stamp", "unstamp"]


def stamp(capsule: Capsule) -> Capsule:
    """The capsule with the INTEGRITY line of its canonical text, computed anew.

    Nothing is dropped to make room: raises ``Unfittable`` where the line takes
    the capsule over 1,200 bytes; ``fit`` with ``stamp`` makes room.
    """
    bare = bare_size(capsule)
    line = stamp_size(bare)
    if bare + line > LIMIT:
        raise Unfittable(bare + line, LIMIT, {**parts(capsule), "INTEGRITY": line})
    return canonical(capsule, stamp=True)


def unstamp(capsule: Capsule) -> Capsule:
    """The capsule without INTEGRITY; one that has none comes back as it is."""
    return canonical(capsule, stamp=False) if capsule.integrity else capsule


def is_due(capsule: Capsule) -> bool:
    """Whether the capsule asks for a stamp that is yet to be computed, as from JSON."""
    stamp = capsule.integrity
    return stamp is not None and not stamp.crc32 and not stamp.chars


def matches(capsule: Capsule, text: bytes) -> bool:
    """Whether the capsule's INTEGRITY is that of ``text``, which it was read from."""
    stamp = capsule.integrity
    if stamp is None:
        return False
    line = f"{stamp.line}\n".encode()
    before, _, after = text.partition(line)
    return stamp.crc32 == integrity.checksum(before, after) and canonical_integer(
        stamp.chars
    ) == str(len(text))
