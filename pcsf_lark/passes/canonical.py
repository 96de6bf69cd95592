"""A capsule as its canonical text reads: places, size and stamp are that text's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from pcsf_lark.emit import canonical as write
from pcsf_lark.errors import PcsfError
from pcsf_lark.model import Integrity
from pcsf_lark.syntax.fast import build, match

if TYPE_CHECKING:
    from pcsf_lark.model import Capsule

__all__ = ["canonical"]


def canonical(capsule: Capsule, *, stamp: bool | None = None) -> Capsule:
    """The capsule, read from its canonical text; with ``stamp``, stamped or unstamped.

    Raises PcsfError where no capsule can be written so; the rules say why.
    """
    if stamp is not None and stamp is not bool(capsule.integrity):
        capsule = evolve(capsule, integrity=Integrity("", "") if stamp else None)
    matched = match(write(capsule).decode("latin-1"), "interop")
    if matched is None:
        raise PcsfError("this capsule cannot be written; pcsf_lark.format says why")
    return build(matched)
