"""Whether a capsule can stand: what the operations ask of each before they touch it.

A tree made by a program may hold what no conformant text can say; a tree that
was read from a text cannot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.api import format_capsule, parse
from pcsf_lark.emit import canonical
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.errors import CapsuleError
from pcsf_lark.model import Capsule
from pcsf_lark.spec import LIMIT, READ_LIMIT
from pcsf_lark.syntax.fast import conforms, match

if TYPE_CHECKING:
    from collections.abc import Collection

    from pcsf_lark.source import Text

__all__ = ["judge", "standing"]


def standing(capsule: Capsule | Text) -> Capsule:
    """The tree of a conformant capsule; raises CapsuleError for what is none."""
    if not isinstance(capsule, Capsule):
        return parse(capsule)
    judge(capsule)
    return capsule


def judge(capsule: Capsule, forgiven: Collection[str] = ()) -> None:
    """Raise CapsuleError if no conformant text can hold the capsule.

    Its stamp is not judged: written, a capsule is stamped anew.
    """
    text = canonical(capsule)
    matched = match(text.decode("latin-1"), "interop")
    if matched and conforms(matched, text) and _reads_back(capsule, text):
        return
    if len(verbatim(capsule)) <= LIMIT:  # compact, it may be shorter than its canonical text
        forgiven = ("C2",)
    elif len(text) > READ_LIMIT:  # judged by its size alone (D20)
        forgiven = ()
    try:
        format_capsule(capsule)
    except CapsuleError as error:
        broken = tuple(d for d in error.diagnostics if d.code not in forgiven)
        if broken:
            raise CapsuleError(broken) from None


def _reads_back(capsule: Capsule, text: bytes) -> bool:
    """Whether a text that the grammar accepts says what the capsule holds.

    Only a line end, or a colon in the name before the first one, could make it
    say something else: the grammar counts the pipes of each line.
    """
    optional = (capsule.chain is not None) + (capsule.integrity is not None)
    lines = 15 + optional + sum([len(entries) for _, entries in capsule.layers])
    names = [e.type for e in capsule.internal] + [e.dimension for e in capsule.relation]
    return text.count(b"\n") == lines and ":" not in "".join(names)
