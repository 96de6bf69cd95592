"""Three-way merge of objects: what each side changed since their common ancestor.

What one side alone changed is taken from it; what both changed alike is one
change; of two changes of status the graver one holds. What both sides changed in
different ways is a conflict: refused, or settled for the side that is preferred,
and then told. What comes to rest on an item that fell on the other side is
marked, with a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from cso import CognitiveStateObject, Decision, Fact, Record, RecordKind, Status, graph
from cso.altered import altered
from cso.errors import ConflictError
from cso.invalidate import mark_dependents
from cso.model import says
from cso.opaque import EMPTY
from cso.references import broken, completed
from pcsf_lark.relay.notes import Withheld

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cso import Edge, GoalState
    from cso.model import Item

__all__ = ["Merged", "three_way"]

_GRAVITY = {
    status: rank
    for rank, status in enumerate(
        (
            Status.VALID,
            Status.STALE,
            Status.NEEDS_REVISION,
            Status.ESCALATED,
            Status.INVALIDATED,
            Status.SUPERSEDED,
        )
    )
}


@frozen
class Merged:
    """The merged state, unsigned and unplaced; what gave way, and what was marked."""

    cso: CognitiveStateObject
    gave_way: tuple[Withheld, ...] = ()
    marked: tuple[str, ...] = field(default=())


def three_way(
    base: CognitiveStateObject,
    ours: CognitiveStateObject,
    theirs: CognitiveStateObject,
    *,
    settle: bool = False,
) -> Merged:
    """Merge; with ``settle`` conflicts go to ``ours``. Raises ConflictError, CycleError."""
    items, lost = _items(base.items(), ours.items(), theirs.items())
    if lost and not settle:
        names = ", ".join(one.id for one in lost[:5])
        what = f"both sides changed it in different ways: {names}; choose a side with --prefer"
        raise ConflictError(what, at=lost[0].id)
    answered = {e.question: e for e in (*theirs.resolved_questions, *ours.resolved_questions)}
    draft = altered(
        ours,
        established_facts=tuple(item for item in items if isinstance(item, Fact)),
        decisions=tuple(item for item in items if isinstance(item, Decision)),
        dependency_graph=_edges(base, ours, theirs),
        open_questions=tuple(
            q
            for q in dict.fromkeys((*ours.open_questions, *theirs.open_questions))
            if q not in answered
        ),
        constraints=tuple(dict.fromkeys((*ours.constraints, *theirs.constraints))),
        revisions=tuple(dict.fromkeys((*ours.revisions, *theirs.revisions))),
        resolved_questions=tuple(answered.values()),
        goal_state=_goal(base.goal_state, ours.goal_state, theirs.goal_state),
        cso_hmac="",
        verified=False,
        ext=_ext(base, ours, theirs),
    )
    known = set(graph.pairs(ours, tools=False))
    graph.refuse_cycles(draft, [p for p in graph.pairs(draft, tools=False) if p not in known])
    whole, marked = _settled(completed(draft), max(ours.window_number, theirs.window_number) + 1)
    return Merged(whole, lost, marked)


def _items(
    base: dict[str, Item], ours: dict[str, Item], theirs: dict[str, Item]
) -> tuple[list[Item], tuple[Withheld, ...]]:
    kept: list[Item] = []
    lost: list[Withheld] = []
    for name in dict.fromkeys((*ours, *theirs)):
        mine, other = ours.get(name), theirs.get(name)
        if mine is None or other is None:
            one = mine or other
            if one is not None and not (name in base and one == base[name]):
                kept.append(one)  # new on one side, or changed there and archived on the other
            elif one is not None and mine is not None:
                kept.append(mine)
            continue
        chosen = _chosen(base.get(name), mine, other)
        if chosen is None:
            lost.append(Withheld(name, says(other), "changed on both sides; the other one holds"))
        kept.append(chosen or mine)
    return kept, tuple(lost)


def _chosen(old: Item | None, mine: Item, other: Item) -> Item | None:
    """The item that both sides lead to; None where they lead apart."""
    if mine == other or (old is not None and other == old):
        return mine
    if old is not None and mine == old:
        return other
    if type(mine) is not type(other):
        return None
    changes = {"status": mine.status, "superseded_by": mine.superseded_by}
    if altered(other, window_origin=mine.window_origin, **changes) != mine:
        return None  # not one content
    if mine.superseded_by and other.superseded_by and mine.superseded_by != other.superseded_by:
        return None
    graver = mine if _GRAVITY[mine.status] >= _GRAVITY[other.status] else other
    return altered(graver, window_origin=min(mine.window_origin, other.window_origin))


def _edges(
    base: CognitiveStateObject, ours: CognitiveStateObject, theirs: CognitiveStateObject
) -> tuple[Edge, ...]:
    """The edges of both, without those that one side took away."""
    rows = [
        {(e.dependent, e.depends_on): e for e in one.dependency_graph} for one in (ours, theirs)
    ]
    before = {(e.dependent, e.depends_on) for e in base.dependency_graph}
    merged = {**rows[1], **rows[0]}
    away = {pair for pair in before if pair not in rows[0] or pair not in rows[1]}
    return tuple(edge for pair, edge in merged.items() if pair not in away)


def _goal(base: GoalState, ours: GoalState, theirs: GoalState) -> GoalState:
    gone = {
        text
        for text in base.remaining
        if text not in ours.remaining or text not in theirs.remaining
    }
    both = dict.fromkeys((*ours.remaining, *theirs.remaining))

    def newer(name: str) -> object:
        mine, other, old = (getattr(goal, name) for goal in (ours, theirs, base))
        return other if mine == old else mine

    return altered(
        ours,
        remaining=tuple(text for text in both if text not in gone),
        objective=newer("objective"),
        success_test=newer("success_test"),
        completion=newer("completion"),
        total=newer("total"),
    )


def _ext(
    base: CognitiveStateObject, ours: CognitiveStateObject, theirs: CognitiveStateObject
) -> object:
    found = {**theirs.ext, **ours.ext}
    for name in ours.ext:
        if name in theirs.ext and ours.ext[name] == (base.ext or EMPTY).get(name):
            found[name] = theirs.ext[name]
    found.pop("crp", None)
    return EMPTY.joined(**found)


def _settled(
    cso: CognitiveStateObject, window: int
) -> tuple[CognitiveStateObject, tuple[str, ...]]:
    """Mark what rests on what fell, as far as that reaches, each with a record."""
    marked: list[str] = []
    while found := broken(cso):
        by: dict[str, list[str]] = {}
        for dependent, support in found:
            by.setdefault(support, []).append(dependent)
        cso = mark_dependents(cso, [dependent for dependent, _ in found])
        records = [_fell(name, window, affected) for name, affected in by.items()]
        cso = altered(cso, revisions=(*cso.revisions, *records))
        marked += [dependent for dependent, _ in found]
    return cso, tuple(dict.fromkeys(marked))


def _fell(name: str, window: int, affected: Iterable[str]) -> Record:
    return Record(
        target=name,
        window=window,
        because="it fell on one side of a merge, and these came to rest on it on the other",
        affected=tuple(dict.fromkeys(affected)),
        kind=RecordKind.INVALIDATION,
    )
