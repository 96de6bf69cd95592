"""Entries that name their parent: the path to a leaf, and what is odd about the tree.

Laws: a parent that is not in the file ends the walk and is noted; of two entries with
one id the later one holds; a cycle ends the walk; the leaf is the last entry unless the
caller names one, and a longer or newer branch is noted.
"""

from collections.abc import Mapping, Sequence

from attrs import frozen

from kernel.sessions.lines import Diagnostic

__all__ = ["Node", "path_to", "tree_notes"]


@frozen
class Node:
    """An entry in the tree: id, parent, line, time as text."""

    id: str
    parent: str | None
    line: int
    time: str = ""


def path_to(nodes: Sequence[Node], leaf: str | None, notes: list[Diagnostic]) -> list[int]:
    """Return the indices of the path from a root to the leaf."""
    if not nodes:
        return []
    by_id: dict[str, int] = {}
    for index, node in enumerate(nodes):
        if node.id in by_id:
            notes.append(
                Diagnostic(
                    "DUPLICATE_ID", node.line, f"id {node.id} is used again; the later entry holds"
                )
            )
        by_id[node.id] = index
    if leaf is not None and leaf not in by_id:
        raise KeyError(f"no entry has the id {leaf!r}: name the id of an entry of this log")
    at = by_id[leaf] if leaf is not None else len(nodes) - 1
    return _walk(nodes, by_id, at, notes)


def _walk(
    nodes: Sequence[Node], by_id: Mapping[str, int], at: int, notes: list[Diagnostic]
) -> list[int]:
    path = [at]
    seen = {at}
    while (parent := nodes[path[-1]].parent) is not None:
        found = by_id.get(parent)
        if found is None:
            line = nodes[path[-1]].line
            notes.append(
                Diagnostic(
                    "GHOST_PARENT", line, f"parent {parent} is not in the file; taken as a root"
                )
            )
            break
        if found in seen:
            notes.append(
                Diagnostic("CYCLE", nodes[found].line, f"entry {parent} is its own ancestor")
            )
            break
        path.append(found)
        seen.add(found)
    return path[::-1]


def tree_notes(nodes: Sequence[Node], path: Sequence[int], notes: list[Diagnostic]) -> None:
    """Note a branch that is longer or newer than the chosen one."""
    if not path:
        return
    parents = {node.parent for node in nodes}
    depth: dict[str, int] = {}
    for node in nodes:
        depth[node.id] = depth.get(node.parent or "", 0) + 1
    leaf = nodes[path[-1]]
    for node in nodes:
        if node.id in parents or node.id == leaf.id:
            continue
        if depth[node.id] > depth[leaf.id]:
            text = f"the branch that ends in {node.id} has {depth[node.id]} entries, the chosen one {depth[leaf.id]}"
            notes.append(Diagnostic("LONGER_BRANCH", node.line, text))
        elif node.time > leaf.time:
            notes.append(
                Diagnostic("NEWER_BRANCH", node.line, f"the branch that ends in {node.id} is newer")
            )
