"""The graph of a state object: who rests on whom, down to the results of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso import graph, model
from pcsf_lark.faces.pages.graph_view import MOST, Drawing, Node, chosen, drawing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cso import CognitiveStateObject

__all__ = ["state_drawing"]


def state_drawing(
    value: CognitiveStateObject, rests: Mapping[str, Sequence[str]]
) -> tuple[Drawing | None, int]:
    """The graph of what rests on what, and how many items have no part in it."""
    pairs = list(dict.fromkeys(graph.pairs(value)))
    items = value.items()
    linked = dict.fromkeys(name for pair in pairs for name in pair)
    unlinked = sum(name not in linked for name in items)
    if not pairs:
        return None, unlinked
    # From the newest decisions down to their grounds; then what else rests on anything.
    starts = [*reversed([d.decision_id for d in value.decisions if d.decision_id in rests]), *rests]
    wanted = set(linked) if len(linked) <= MOST else chosen(starts, rests)
    nodes = [_node(name, items) for name in (*items, *linked) if name in wanted]
    unique = list({node.id: node for node in nodes}.values())
    return drawing(unique, pairs, all_nodes=len(linked), all_edges=len(pairs)), unlinked


def _node(name: str, items: Mapping[str, model.Item]) -> Node:
    item = items.get(name)
    if item is None:
        if name.startswith(graph.TOOL):
            return Node(name, "tool", "", "a tool's result")
        return Node(name, "missing", "", "named, but not there")
    status = "" if item.status is model.Status.VALID else item.status.value
    kind = "decision" if isinstance(item, model.Decision) else "fact"
    return Node(name, kind, status, model.says(item))
