"""Sealing a window: its head capsule composed, its notes made, verified and signed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

import cso as state_objects
from cso import LIVE, CognitiveStateObject, EventDraft, Header, Key
from cso.altered import altered
from cso.codec import minted
from cso.model import says
from pcsf_lark.api import parse
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.relay.composing import Composition, compose
from pcsf_lark.relay.notes import NAME, Notes, Withheld, notes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.model import Capsule

__all__ = ["Signer", "Window", "composed", "head_capsule", "sealed"]


@frozen(kw_only=True)
class Window:
    """One window, signed and ready to be stored, and what is to be told of it.

    Where nothing was to be done ``unchanged`` says why, ``cso`` and ``notes`` are those
    of the head, and ``withheld`` is what was not taken up all the same.

    Attributes:
        cso: The object, signed.
        notes: What it says of itself.
        headers: The CRP-Relay headers.
        events: For the audit trail.
        restored: What repair put back, by kind.
        warnings: What was odd, in words.
        added: How many items are new.
        known: How many were there already.
        attempts: How often it was tried, as other writers came first.
    """

    cso: CognitiveStateObject
    notes: Notes
    headers: tuple[Header, ...] = ()
    events: tuple[EventDraft, ...] = ()
    restored: Mapping[str, tuple[str, ...]] = field(factory=dict)
    warnings: tuple[str, ...] = ()
    added: int = 0
    known: int = 0
    unchanged: str = ""
    withheld: tuple[Withheld, ...] = ()
    attempts: int = 1


@frozen(kw_only=True)
class Signer:
    """Who signs, for which session, and what time it is."""

    key: Key
    session: str
    now: str


def head_capsule(cso: CognitiveStateObject | None) -> Capsule | None:
    """The head capsule that an object carries."""
    notes = notes_of(cso) if cso is not None else None
    return parse(notes.head) if notes is not None and notes.head else None


def composed(old: Capsule | None, notes: Notes, state: CognitiveStateObject) -> Composition | None:
    """The head capsule of a window, from its parent's and its own notes."""
    new = parse(notes.capsule) if notes.capsule else None
    lost = None
    if notes.kind == "merge":
        said = {says(item) for item in state.items().values() if item.status in LIVE}
        lost = {row.text: row.reason for row in notes.withheld if row.text not in said}
    return compose(old, new, state, notes.loops, lost)


def sealed(
    head: CognitiveStateObject | None,
    draft: CognitiveStateObject,
    notes: Notes,
    signer: Signer,
    *,
    whole: CognitiveStateObject,
    capsule: Capsule | None,
    old: Capsule | None,
    added: int = 0,
    known: int = 0,
) -> Window:
    """Compose, note, verify, repair and sign; ``whole`` is the draft as it will be."""
    notes = evolve(notes, capsule=verbatim(capsule).decode("ascii") if capsule else "")
    done = composed(old, notes, whole)
    if done is not None:
        notes = evolve(notes, head=done.text, dropped=done.dropped, absent=done.absent)
    noted = altered(draft, ext=draft.ext.joined(**{NAME: notes.members()}), cso_hmac="")
    if head is None:
        noted = minted(noted, signer.session)
    result = state_objects.relay(head, noted, signer.key, signer.session, timestamp=signer.now)
    return Window(
        cso=result.cso,
        notes=notes,
        headers=result.headers,
        events=(*result.events, _event(result.cso, notes, signer.now)),
        restored=result.repair.restored,
        warnings=done.warnings if done is not None else (),
        added=added,
        known=known,
        withheld=notes.withheld,
    )


def _event(cso: CognitiveStateObject, notes: Notes, now: str) -> EventDraft:
    """What the trail says of a window beside what every relay says."""
    counts = {name: len(getattr(notes, name)) for name in ("dropped", "withheld", "absent")}
    topic = parse(notes.capsule).meta.topic if notes.capsule else ""
    data = {"kind": notes.kind, **counts, **({"topic": topic} if topic else {})}
    return EventDraft("STATE_PUSHED", now, cso.cso_id, data)
