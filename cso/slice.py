"""Slices: what a micro-task needs, and nothing else (S30 §7.2, R35).

A slice is closed: whatever its items rest on is in it or listed as dangling. It
is a view for one task: unverified, no link of a chain, never a relay's `new`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, model, references
from cso.altered import altered
from cso.errors import UnknownIdError
from cso.lineage import head
from cso.marks import with_crp
from cso.opaque import EMPTY
from cso.rules import row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cso.model import CognitiveStateObject, GoalState

__all__ = ["Slice", "slice_of"]


@frozen
class Slice:
    """The slice; ids that nothing holds; superseded ids and what stands for them.

    Attributes:
        cso: The slice, as an object.
        dangling: Ids that nothing holds.
        resolved: The id asked for, to the one that stands for it.
    """

    cso: CognitiveStateObject
    dangling: tuple[str, ...]
    resolved: dict[str, str]


def slice_of(
    cso: CognitiveStateObject,
    seeds: Iterable[str],
    *,
    goal: GoalState | None = None,
    questions: bool = False,
) -> Slice:
    """Cut out `seeds` and all they rest on, in the parent's order.

    A superseded id stands for the live head of its line. All constraints come
    along, for they have no ids and to leave one out is unsafe; open questions
    only if asked for. Raises `UnknownIdError` for a seed that no item has,
    `ContentError` for one text in place of several.

    >>> from cso import CognitiveStateObject, Decision, Fact, GoalState, slice_of
    >>> cpu, disk = (Fact(fact_id=name, statement=f"{name} is fine", provenance="USER",
    ...     confidence=1.0, window_origin=1) for name in ("cpu", "disk"))
    >>> scale = Decision(decision_id="scale", choice="3 nodes", rationale="it is fine",
    ...     depends_on=["cpu"], window_origin=1)
    >>> state = CognitiveStateObject(cso_id="s", window_number=1,
    ...     goal_state=GoalState(mode="AGENTIC"), established_facts=[cpu, disk], decisions=[scale])
    >>> list(slice_of(state, ["scale"]).cso.items())
    ['cpu', 'scale']
    """
    items = cso.items()
    rows = graph.supports(cso, tools=False)
    resolved: dict[str, str] = {}
    wanted: dict[str, None] = {}
    queue = list(row(seeds))
    for seed in queue:
        if seed not in items:
            raise UnknownIdError(f"no item {seed!r:.140} to slice from", at=seed)
    while queue:
        name = queue.pop()
        stands = head(items, name)
        if stands != name:
            resolved[name] = stands
        if stands not in wanted:
            wanted[stands] = None
            queue.extend(rows.get(stands, ()))
    missing = {n for n in wanted if n not in items and not n.startswith(graph.TOOL)}
    return Slice(
        _cut(cso, wanted, resolved, goal, questions=questions),
        tuple(sorted(missing)),
        resolved,
    )


def _cut(
    cso: CognitiveStateObject,
    wanted: dict[str, None],
    resolved: dict[str, str],
    goal: GoalState | None,
    *,
    questions: bool,
) -> CognitiveStateObject:
    edges = dict.fromkeys(
        altered(edge, depends_on=resolved.get(edge.depends_on, edge.depends_on))
        for edge in cso.dependency_graph
        if edge.dependent in wanted
    )
    decisions = (d for d in cso.decisions if d.decision_id in wanted)
    part = altered(
        cso,
        prior_cso_hash="",
        cso_hmac="",
        verified=False,
        goal_state=goal or cso.goal_state,
        established_facts=tuple(f for f in cso.established_facts if f.fact_id in wanted),
        decisions=tuple(_resting(decision, resolved) for decision in decisions),
        dependency_graph=tuple(edges),
        open_questions=cso.open_questions if questions else (),
        revisions=(),
        resolved_questions=(),
        ext=EMPTY,
    )
    return references.completed(with_crp(part, slice_of=cso.cso_hmac or None))


def _resting(decision: model.Decision, resolved: dict[str, str]) -> model.Decision:
    """Point a decision at what stands for its superseded supports."""
    if not any(name in resolved for name in decision.depends_on):
        return decision
    rests = dict.fromkeys(resolved.get(name, name) for name in decision.depends_on)
    return altered(decision, depends_on=tuple(rests))
