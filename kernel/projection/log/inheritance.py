"""What a fork has from the session it was copied from: journal entries its copy lacks.

A fork copies the entries of a branch with their ids and names its parent session. Where
the copy left journal entries out, they are found in the parent, before the copied entry
they stood before. What the parent's journal says behind the last copied entry is the
parent's own and is not inherited.
"""

from collections.abc import Mapping

from attrs import evolve

from kernel.projection.log.branch import SessionTree
from kernel.projection.log.digests import source_digest
from kernel.sessions.lines import Diagnostic
from kernel.sessions.pi_entries import Item, message_of

__all__ = ["JOURNAL", "LOST", "inherit", "is_journal", "noted"]

#: The notes that a session a log descends from was not read.
LOST = ("PARENT_SESSION_MISSING", "PARENT_SESSION_DEPTH")
#: What the custom types of all journal entries start with.
JOURNAL = "aili.compact."


def is_journal(item: Item) -> bool:
    """Tell whether an entry belongs to the journal, of whatever version."""
    kind = item.value.get("customType")
    return item.value.get("type") == "custom" and isinstance(kind, str) and kind.startswith(JOURNAL)


def noted(tree: SessionTree, *notes: Diagnostic) -> SessionTree:
    """Return a tree with more diagnostics."""
    return evolve(tree, diagnostics=(*tree.diagnostics, *notes))


def inherit(tree: SessionTree, parent: SessionTree) -> SessionTree:
    """Return a fork's tree with what it has from its parent's."""
    found: dict[str, tuple[Item, ...]] = {}
    own = tree.by_id
    if parent.inherited or any(is_journal(item) and item.id not in own for item in parent.entries):
        for item in own.values():
            missing = _missing(item, own, parent)
            if missing and _is_copy(item, parent.by_id[item.id]):
                found[item.id] = missing
    return evolve(
        tree,
        inherited=found,
        ancestors=(parent.session_id, *parent.ancestors),
        severed=parent.severed,
        claimed=parent.claimed,
        diagnostics=(*tree.diagnostics, *_of_ancestors(parent)),
    )


def _of_ancestors(parent: SessionTree) -> list[Diagnostic]:
    """Return what was odd about the sessions a parent descends from: it is odd here too."""
    return [note for note in parent.diagnostics if note.code in LOST]


def _missing(item: Item, own: Mapping[str, Item], parent: SessionTree) -> tuple[Item, ...]:
    """Return the journal entries between an entry and its nearest copied ancestor."""
    at = parent.by_id.get(item.id)
    found: list[Item] = []
    seen: set[str] = set()
    while at is not None and at.id not in seen:
        if seen and is_journal(at):
            found.append(at)
        seen.add(at.id)
        found += reversed([one for one in parent.inherited.get(at.id, ()) if one.id not in own])
        at = parent.by_id.get(at.parent) if at.parent is not None else None
        if at is not None and at.id in own:
            break
    return tuple(reversed(found))


def _is_copy(item: Item, original: Item) -> bool:
    """Tell a copied entry from one that happens to have the same id."""
    if item.value.get("type") != original.value.get("type"):
        return False
    ours, theirs = message_of(item, {}), message_of(original, {})
    if ours is None or theirs is None:
        return ours is theirs
    return source_digest(ours) == source_digest(theirs)
