"""Revision: a new item takes the place of an old one, which stays, superseded.

The new item links to the old one by the digest of what it was (R24). A line may
be revised `limit` times; the next attempt is for a human (R26), and so is any
revision of what is not revisable (R27). Dependents wait as NEEDS_REVISION until
they are reaffirmed or revised themselves (R28).
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, model, references
from cso.altered import altered
from cso.check import is_id
from cso.encode import item_digest
from cso.errors import ConflictError, ContentError, EscalationRequired, UnknownIdError
from cso.invalidate import affected_by, mark_dependents
from cso.lineage import head, next_id, revisions_of, root_of
from cso.marks import buried, opened
from cso.model import CognitiveStateObject, Decision, Fact, Record, RecordKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["MAX_REVISIONS", "Revision", "RevisionResult", "revise"]

MAX_REVISIONS = 3
"""How often a line may be revised before a human decides (S30 §6.3)."""


class RevisionResult(StrEnum):
    """How an attempt ended."""

    REVISED = "REVISED"
    ESCALATED = "ESCALATED"
    REFUSED = "REFUSED"


@frozen
class Revision:
    """An attempt: its result, the new id, the items now marked, the audit event.

    Attributes:
        result: How it ended.
        target: The item to be revised.
        new_id: The id of what took its place, empty without.
        number: How many revisions the line has had.
        affected: The ids marked for it.
        event: The name for the audit trail.
        why: The reason, where it was not revised.
    """

    result: RevisionResult
    target: str
    new_id: str = ""
    number: int = 0
    affected: tuple[str, ...] = ()
    event: str = "REVISION"
    why: str = ""

    def required(self) -> Revision:
        """Give itself if revised; raise `EscalationRequired` otherwise."""
        if self.result is RevisionResult.REVISED:
            return self
        raise EscalationRequired(self.why, at=self.target)


def revise(
    cso: CognitiveStateObject,
    target: str,
    choice: str,
    rationale: str = "",
    *,
    because: str,
    depends_on: Iterable[str] | None = None,
    new_id: str | None = None,
    limit: int = MAX_REVISIONS,
) -> tuple[CognitiveStateObject, Revision]:
    """Supersede a decision, or a fact (whose statement `choice` then is).

    `because` is the reason, or the id of the item that is it; the new decision
    then rests on it. Without `depends_on` it rests on what the old one did, where
    that still stands. Raises `UnknownIdError`, `ConflictError` if the target is no
    longer live or the new id is taken, `ContentError` if that is no id, `CycleError`;
    an escalation is a result.

    >>> from cso import CognitiveStateObject, Decision, Fact, GoalState, revise
    >>> cpu = Fact(fact_id="cpu", statement="CPU is at 87%", provenance="TOOL",
    ...     provenance_ref="call_4", confidence=0.9, window_origin=1)
    >>> scale = Decision(decision_id="scale", choice="5 nodes", rationale="87% is much",
    ...     depends_on=["cpu"], window_origin=1)
    >>> state = CognitiveStateObject(cso_id="s", window_number=1,
    ...     goal_state=GoalState(mode="AGENTIC"), established_facts=[cpu], decisions=[scale])
    >>> state, revision = revise(state, "scale", "3 nodes", "enough", because="cpu")
    >>> revision.new_id, state.items()["scale"].status.value
    ('scale.r1', 'SUPERSEDED')
    """
    items = cso.items()
    old = _target(items, target)
    number = revisions_of(cso, target) + 1
    fixed = isinstance(old, Decision) and not old.revisable
    if fixed or number > limit:
        return _escalated(cso, old, because, number=number, fixed=fixed)
    name = new_id or next_id(root_of(cso, target), number)
    if new_id is not None and not is_id(new_id):
        raise ContentError("an id is 1-128 of A-Z a-z 0-9 . _ -", at=f"{new_id!r:.140}", code="id")
    if name in items:
        raise ConflictError(f"id {name!r:.140} is taken; give new_id", at=name)
    draft = opened(cso)
    link = model.Link(target, item_digest(old))
    new: model.Item
    if isinstance(old, Decision):
        rests = _supports(cso, old, because) if depends_on is None else depends_on
        words = (choice, rationale)
        new = _decision(old, name, words, tuple(rests), link, draft.window_number)
    else:
        new = _fact(old, name, choice, link, draft.window_number)
    result, done = _superseded(draft, old, new, because, number)
    if isinstance(new, Decision):
        graph.refuse_cycles(result, [(new.id, on) for on in new.depends_on])
    return result, done


def _target(items: Mapping[str, model.Item], target: str) -> model.Item:
    """Give the item to revise, if it still stands."""
    old = items.get(target)
    if old is None:
        raise UnknownIdError(f"no item {target!r:.140} to revise", at=target)
    if old.status not in model.LIVE | {Status.ESCALATED}:
        stands = head(items, target)
        hint = f"; revise {stands}" if stands != target else ""
        raise ConflictError(f"{old.status.value} items are not revised{hint}", at=target)
    return old


def _supports(cso: CognitiveStateObject, old: Decision, because: str) -> tuple[str, ...]:
    """Give what the old decision rested on and still stands, and the reason."""
    items, gone = cso.items(), buried(cso)
    standing = [head(items, name) for name in old.depends_on]
    if because in items:
        standing.append(because)
    live = (
        name
        for name in standing
        if (items[name].status in model.LIVE if name in items else name not in gone)
    )
    return tuple(dict.fromkeys(name for name in live if name != old.decision_id))


def _decision(  # noqa: PLR0917 - one call, right above
    old: Decision,
    name: str,
    words: tuple[str, str],
    rests: tuple[str, ...],
    link: model.Link,
    window: int,
) -> Decision:
    return Decision(
        decision_id=name,
        choice=words[0],
        rationale=words[1],
        alternatives=tuple(dict.fromkeys((*old.alternatives, old.choice))),
        depends_on=rests,
        revisable=old.revisable,
        window_origin=max(window, 1),
        supersedes=link,
    )


def _fact(old: Fact, name: str, statement: str, link: model.Link, window: int) -> Fact:
    return Fact(
        fact_id=name,
        statement=statement,
        provenance=old.provenance,
        provenance_ref=old.provenance_ref,
        confidence=old.confidence,
        window_origin=max(window, 1),
        supersedes=link,
    )


def _superseded(
    draft: CognitiveStateObject, old: model.Item, new: model.Item, because: str, number: int
) -> tuple[CognitiveStateObject, Revision]:
    found = affected_by(draft, old.id)
    affected = tuple(name for name in found.order if name != new.id)
    dead = altered(old, status=Status.SUPERSEDED, superseded_by=new.id)
    draft = mark_dependents(draft, affected)
    record = Record(
        target=old.id,
        superseded_by=new.id,
        because=because,
        window=draft.window_number,
        number=number,
        affected=affected,
    )
    if isinstance(new, Fact):
        facts = tuple(dead if f.fact_id == old.id else f for f in draft.established_facts)
        draft = altered(draft, established_facts=(*facts, new))
    else:
        decisions = tuple(dead if d.decision_id == old.id else d for d in draft.decisions)
        draft = altered(draft, decisions=(*decisions, new))
    draft = altered(draft, revisions=(*draft.revisions, record))
    done = Revision(RevisionResult.REVISED, old.id, new.id, number, affected)
    return references.completed(draft), done


def _escalated(
    cso: CognitiveStateObject, old: model.Item, because: str, *, number: int, fixed: bool
) -> tuple[CognitiveStateObject, Revision]:
    """Leave everything but the status: this one is for a human."""
    result = RevisionResult.REFUSED if fixed else RevisionResult.ESCALATED
    why = "not revisable" if fixed else f"revised {number - 1} times already"
    attempt = Revision(
        result, old.id, number=number, event="OVERSIGHT_TRIGGERED", why=f"{why}; a human decides"
    )
    # A fact has no status ESCALATED: it stays, marked.
    status = Status.ESCALATED if isinstance(old, Decision) else Status.NEEDS_REVISION
    if old.status is status:
        return cso, attempt
    draft = opened(cso)
    record = Record(
        target=old.id, because=because, window=draft.window_number, kind=RecordKind.ESCALATION
    )
    holding = frozenset(Status)
    draft = mark_dependents(draft, (old.id,), status, holding)
    return altered(draft, revisions=(*draft.revisions, record)), attempt
