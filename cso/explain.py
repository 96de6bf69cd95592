"""Why was this decided? The way from an item to its sources (S30 §8.2, R37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso import graph, model
from cso.errors import UnknownIdError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cso.model import CognitiveStateObject, Record

__all__ = ["Explanation", "Ground", "explain"]


@frozen
class Ground:
    """One step of an explanation: an item, what it says, and what it rests on.

    `distance` counts edges from the item explained. For a tool result, `scratch`
    is its id and `digest` the hash of its output where the caller knows it.

    Attributes:
        id: The item's id, or `tool:` and that of a result.
        kind: fact, decision or tool.
        says: Its statement or choice.
        why: Its rationale.
        status: How it stands.
        window: The window that brought it.
        rests_on: The ids of what it rests on.
    """

    id: str
    kind: str
    distance: int
    says: str = ""
    why: str = ""
    status: str = ""
    window: int | None = None
    rests_on: tuple[str, ...] = ()
    scratch: str = ""
    digest: str = ""


@frozen
class Explanation:
    """The grounds in order of distance, the records that name the item, the gaps.

    Attributes:
        id: The item explained.
        grounds: What it rests on, nearest first, itself at distance 0.
        records: The changes that name it.
        dangling: Ids that nothing holds.
    """

    id: str
    grounds: tuple[Ground, ...]
    records: tuple[Record, ...]
    dangling: tuple[str, ...]


def explain(
    cso: CognitiveStateObject, name: str, *, hashes: Mapping[str, str] | None = None
) -> Explanation:
    """Trace an item through everything it rests on, down to tool results.

    `hashes` maps scratch ids to output hashes (`tools.output_hash`). Raises
    `UnknownIdError` for an id that no item has.

    >>> from cso import CognitiveStateObject, Decision, Fact, GoalState, explain
    >>> cpu = Fact(fact_id="cpu", statement="CPU is at 87%", provenance="TOOL",
    ...     provenance_ref="call_4", confidence=0.9, window_origin=1)
    >>> scale = Decision(decision_id="scale", choice="5 nodes", rationale="87% is much",
    ...     depends_on=["cpu"], window_origin=1)
    >>> state = CognitiveStateObject(cso_id="s", window_number=1,
    ...     goal_state=GoalState(mode="AGENTIC"), established_facts=[cpu], decisions=[scale])
    >>> [(ground.distance, ground.id) for ground in explain(state, "scale").grounds]
    [(0, 'scale'), (1, 'cpu'), (2, 'tool:call_4')]
    """
    items = cso.items()
    if name not in items:
        raise UnknownIdError(f"no item {name!r:.140} to explain", at=name)
    rows = graph.supports(cso)
    found = graph.reach(rows, name)
    grounds: list[Ground] = []
    missing: list[str] = []
    for distance, layer in enumerate(((name,), *found.layers)):
        for node in layer:
            rests = tuple(rows.get(node, ()))
            if node.startswith(graph.TOOL):
                scratch = node.removeprefix(graph.TOOL)
                digest = (hashes or {}).get(scratch, "")
                grounds.append(Ground(node, "tool", distance, scratch=scratch, digest=digest))
            elif node in items:
                grounds.append(_ground(items[node], distance, rests))
            else:
                missing.append(node)
    reached = {name, *found.affected}
    records = tuple(r for r in cso.revisions if r.target in reached or r.superseded_by in reached)
    return Explanation(name, tuple(grounds), records, tuple(missing))


def _ground(item: model.Item, distance: int, rests: tuple[str, ...]) -> Ground:
    decision = isinstance(item, model.Decision)
    return Ground(
        item.id,
        "decision" if decision else "fact",
        distance,
        says=model.says(item),
        why=item.rationale if isinstance(item, model.Decision) else item.provenance.value,
        status=item.status.value,
        window=item.window_origin,
        rests_on=rests,
        scratch=item.provenance_ref if item.provenance is model.Provenance.TOOL else "",
    )
