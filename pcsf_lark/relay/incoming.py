"""What is pushed, in one shape: an object, the capsule to stitch, and a digest of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import field, frozen

from cso import CognitiveStateObject, codec, jcs
from cso.altered import altered
from pcsf_lark.api import parse
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.model import Capsule
from pcsf_lark.operations import to_cso

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.source import Text

__all__ = ["Draft", "Incoming", "of_capsule", "of_draft", "of_object"]


class Draft(Protocol):
    """What a drafter gives for a log: an object and a capsule of it."""

    @property
    def cso(self) -> CognitiveStateObject:
        """The whole trail."""

    @property
    def capsule(self) -> Capsule | Text:
        """What of it goes into a capsule."""


@frozen
class Incoming:
    """One push: ``kind`` is capsule, cso or log; ``source`` the digest it is known by.

    ``veiled`` counts what a drafter withheld of a log, by kind.
    """

    kind: str
    cso: CognitiveStateObject
    capsule: Capsule | None
    source: str
    veiled: Mapping[str, int] = field(factory=dict)

    @property
    def steers(self) -> bool:
        """Whether it has an objective of its own: a capsule's topic is none."""
        capsule = self.capsule if self.kind == "capsule" else None
        return capsule is None or any(one.type == "DIRECTION" for one in capsule.internal)

    @property
    def mark(self) -> str:
        """What tells its ids from those of other pushes."""
        return f"{self.kind[0]}{self.source.rpartition(':')[2][:8]}"


def of_capsule(capsule: Capsule | Text) -> Incoming:
    """A capsule; raises CapsuleError for one that is not conformant."""
    tree = capsule if isinstance(capsule, Capsule) else parse(capsule)
    return Incoming("capsule", to_cso(tree), tree, jcs.digest(verbatim(tree)))


def of_object(cso: CognitiveStateObject) -> Incoming:
    """A state object, signed or not."""
    return Incoming("cso", cso, None, _digest(cso))


def of_draft(draft: Draft) -> Incoming:
    """What was drafted from a log; raises CapsuleError for a capsule that is not conformant."""
    capsule = draft.capsule if isinstance(draft.capsule, Capsule) else parse(draft.capsule)
    both = jcs.digest((_digest(draft.cso) + "\n").encode() + verbatim(capsule))
    return Incoming("log", draft.cso, capsule, both, getattr(draft, "withheld", {}))


def _digest(cso: CognitiveStateObject) -> str:
    """The digest of an object whatever its place in a chain."""
    bare = altered(cso, cso_id="-", cso_hmac="", prior_cso_hash="", verified=False)
    return jcs.digest(codec.dumps(bare))
