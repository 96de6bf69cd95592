"""Reaffirmation: a marked item is declared to hold, on what stands today (R28)."""

from __future__ import annotations

from cso import graph, references
from cso.altered import altered
from cso.errors import ContentError, UnknownIdError
from cso.invalidate import mark_dependents
from cso.lineage import head
from cso.marks import opened
from cso.model import LIVE, CognitiveStateObject, Decision, Record, RecordKind, Status

__all__ = ["reaffirm"]


def reaffirm(cso: CognitiveStateObject, name: str) -> CognitiveStateObject:
    """Declare that a marked item still holds, on what stands today (R28).

    Its supports move to the heads of their lines. For an escalated decision this
    is the human's word that it stands. Raises `UnknownIdError`;
    `ContentError` if it is not marked, or would rest on what does not hold;
    `CycleError` if it would come to rest on itself.
    """
    items = cso.items()
    item = items.get(name)
    if item is None:
        raise UnknownIdError(f"no item {name!r:.140} to reaffirm", at=name)
    if item.status not in (Status.NEEDS_REVISION, Status.ESCALATED):
        raise ContentError(
            f"{name} is {item.status.value}: nothing to reaffirm", at=name, code="status"
        )
    rests = [on for dependent, on in graph.pairs(cso, tools=False) if dependent == name]
    moved = {on: head(items, on) for on in dict.fromkeys(rests)}
    dead = [on for on in moved.values() if on in items and items[on].status not in LIVE]
    if dead:
        what = f"it rests on {', '.join(dead)}, which no longer holds; revise it"
        raise ContentError(what, at=name, code="dead-support")
    draft = opened(cso)
    edges = dict.fromkeys(
        altered(edge, depends_on=moved[edge.depends_on]) if edge.dependent == name else edge
        for edge in draft.dependency_graph
    )
    draft = altered(draft, dependency_graph=tuple(edges))
    if isinstance(item, Decision):
        supports = tuple(dict.fromkeys(moved[on] for on in item.depends_on))
        again = altered(item, depends_on=supports, status=Status.VALID)
        rows = tuple(again if d.decision_id == name else d for d in draft.decisions)
        draft = altered(draft, decisions=rows)
    else:
        draft = mark_dependents(draft, (name,), Status.VALID, frozenset({item.status}))
    record = Record(target=name, window=draft.window_number, kind=RecordKind.REAFFIRMATION)
    done = references.completed(altered(draft, revisions=(*draft.revisions, record)))
    graph.refuse_cycles(done, [(name, on) for was, on in moved.items() if was != on])
    return done
