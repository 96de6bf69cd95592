"""What is pushed, in one shape: an object, the capsule to stitch, and a digest of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from attrs import field, frozen

from cso import CognitiveStateObject, codec, jcs
from cso.altered import altered
from pcsf_lark.api import parse
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.model import Capsule
from pcsf_lark.operations import to_cso
from pcsf_lark.relay.finishing import completed_by
from pcsf_lark.relay.notes import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.relay.notes import LogRow
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

    ``veiled`` counts what a drafter withheld of a log, by kind. Of what was drafted from
    a log, ``log`` names it, ``size`` and ``last`` are its entries and last time, ``whole`` the
    object of all of it (None where only a part is known), ``places`` each open text's
    entry; ``entries`` are all it has, None where they are not known.

    Attributes:
        cso: What was pushed, as an object.
        capsule: What was pushed, as a capsule; None where it is none.
    """

    kind: str
    cso: CognitiveStateObject
    capsule: Capsule | None
    source: str
    veiled: Mapping[str, int] = field(factory=dict)
    log: str = ""
    size: int = 0
    last: str = ""
    whole: CognitiveStateObject | None = None
    places: Mapping[str, str] = field(factory=dict)
    entries: frozenset[str] | None = None

    def has(self, entry: str) -> bool:
        """Whether an entry is one of its log, as far as is known."""
        return self.entries is None or not entry or entry in self.entries

    def is_behind(self, row: LogRow) -> bool:
        """Whether it was drafted from less of a log than was pushed before."""
        return self.size < row.size and self.last <= row.last and bool(self.last)

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
    return Incoming("cso", cso, None, _digest(cso), **_of_log(cso))


def of_draft(draft: Draft, finished: Capsule | None = None) -> Incoming:
    """What was drafted from a log; raises CapsuleError for a capsule that is not conformant.

    ``finished`` is the capsule that a person or a model made of the draft's: it takes its
    place, and what it says that the log's object does not is added to that.
    """
    capsule = draft.capsule if isinstance(draft.capsule, Capsule) else parse(draft.capsule)
    capsule = finished or capsule
    both = jcs.digest((_digest(draft.cso) + "\n").encode() + verbatim(capsule))
    told: dict[str, Any] = _of_log(draft.cso)
    if told:
        told["whole"] = getattr(draft, "whole", draft.cso)
        told["entries"] = getattr(draft, "entries", None)
        # A session that went back to an earlier turn left what was open there behind.
        named = not draft.cso.ext["draft"]["log"].get("session")
        rows = getattr(draft, "sources", {}).get("cso", {}) if named else {}
        for member in ("remaining", "open_questions"):
            told["places"] |= {row["text"]: row["from"][-1] for row in rows.get(member, ())}
    state = draft.cso if finished is None else completed_by(draft.cso, finished)
    return Incoming("log", state, capsule, both, getattr(draft, "withheld", {}), **told)


def _of_log(cso: CognitiveStateObject) -> dict[str, Any]:
    """What a drafted object tells of its log; nothing for one that has been relayed."""
    notes: Any = cso.ext.get("draft")
    try:
        told = notes["log"]
        log, size, last = str(told["id"]), int(told["size"]), str(told.get("last", ""))
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}
    if cso.cso_hmac or NAME in cso.ext:
        return {}
    whole = None if "since" in notes else cso
    places = dict.fromkeys((*cso.goal_state.remaining, *cso.open_questions), "")
    return {"log": log, "size": size, "last": last, "whole": whole, "places": places}


def _digest(cso: CognitiveStateObject) -> str:
    """The digest of an object whatever its place in a chain."""
    bare = altered(cso, cso_id="-", cso_hmac="", prior_cso_hash="", verified=False)
    return jcs.digest(codec.dumps(bare))
