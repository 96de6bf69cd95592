"""What is odd about the tree of a log: ids used twice, lost parents, stale leaves.

Laws: of two entries with one id the later one holds; a parent that is not in the file
makes its entry a root; every walk ends; all of it is named and nothing of it fails.
"""

from collections.abc import Mapping, Sequence

from kernel.sessions.lines import Diagnostic
from kernel.sessions.pi_entries import Item

__all__ = ["path_notes", "stale_leaf", "tree_notes", "walk"]


def tree_notes(entries: Sequence[Item]) -> list[Diagnostic]:
    """Note ids used again, and compactions that hang on another entry than their leaf."""
    notes: list[Diagnostic] = []
    seen: set[str] = set()
    last: str | None = None
    for item in entries:
        if item.id in seen:
            message = f"id {item.id} is used again; the later entry holds"
            notes.append(Diagnostic("DUPLICATE_ID", item.line, message))
        elif item.value.get("type") == "compaction" and item.parent != last:
            message = f"compaction {item.id} hangs on {item.parent}, the leaf before it is {last}"
            notes.append(Diagnostic("STALE_COMPACTION", item.line, message))
        seen.add(item.id)
        last = item.id
    return notes


def walk(by_id: Mapping[str, Item], leaf: str) -> list[Item]:
    """Return the path from a root to a leaf; a cycle or a lost parent ends it."""
    item: Item | None = by_id[leaf]
    path: list[Item] = []
    seen: set[str] = set()
    while item is not None and item.id not in seen:
        path.append(item)
        seen.add(item.id)
        item = by_id.get(item.parent) if item.parent is not None else None
    return path[::-1]


def path_notes(by_id: Mapping[str, Item], path: Sequence[Item]) -> list[Diagnostic]:
    """Note why a path ends at a root that names a parent, and what is out of its reach."""
    if not path or path[0].parent is None:
        return []
    root = path[0]
    if root.parent in by_id:
        return [Diagnostic("CYCLE", root.line, f"entry {root.parent} is its own ancestor")]
    count = sum(found != root.id for found in _roots(by_id).values())
    message = f"parent {root.parent} is not in the file; taken as a root; unreachable={count}"
    return [Diagnostic("GHOST_PARENT", root.line, message)]


def _roots(by_id: Mapping[str, Item]) -> dict[str, str]:
    """Return the root every entry comes from."""
    roots: dict[str, str] = {}
    for name in by_id:
        trail: list[str] = []
        seen: set[str] = set()
        at = name
        while at not in roots and at not in seen:
            trail.append(at)
            seen.add(at)
            parent = by_id[at].parent
            if parent is None or parent not in by_id:
                break
            at = parent
        found = roots.get(at, at)
        roots.update(dict.fromkeys(trail, found))
    return roots


def stale_leaf(entries: Sequence[Item], path: Sequence[Item]) -> list[Diagnostic]:
    """Note a last entry that a process wrote under an old leaf: newer messages are hidden.

    A summary of the branch left behind tells a move that was meant.
    """
    newest = next((i for i in reversed(entries) if i.value.get("type") == "message"), None)
    if newest is None or not path or any(item is newest for item in path):
        return []
    if any(i.line > newest.line and i.value.get("type") == "branch_summary" for i in path):
        return []
    leaf = path[-1]
    message = f"the last entry is not a descendant of the newest message {newest.id}"
    return [Diagnostic("STALE_LEAF", leaf.line, message)]
