"""The pure functions as the oracle of an index: branch, snapshot, and a comparison of all.

    branch = branch_of(index, tree, leaf)               # equals tree.branch(leaf)
    now = snapshot_of(index, tree, leaf, config)        # equals take(tree, leaf, config)
    differences(index, tree)                            # names of what is not equal

Laws: nothing here trusts the index but what it compares; a difference has a name and holds
no text of a source.
"""

from itertools import accumulate
from typing import Any

from kernel.projection.index.branch_index import BranchIndex
from kernel.projection.log.branch import Branch, SessionTree
from kernel.projection.log.digests import leaf_digest
from kernel.projection.log.strays import path_notes, stale_leaf
from kernel.projection.model import block_ref, message_ref
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.catalog import catalog_of
from kernel.projection.planning.facts import facts_of
from kernel.projection.planning.pressure import state_of, window_use
from kernel.projection.planning.protection import protect
from kernel.projection.replaying.reducer import replay
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import Snapshot, WindowPressure, edit_notes, take
from kernel.projection.view.projector import project

__all__ = ["branch_of", "differences", "snapshot_of"]


def branch_of(index: BranchIndex, tree: SessionTree, leaf: str | None) -> Branch:
    """Return the branch an index stands on, as a tree tells it; `leaf` None is its last entry."""
    with index.counters.whole():
        path = tuple(index.path)
        foreign = {item.id for items in tree.inherited.values() for item in items}
        # The notes compare entries with the tree's own, one by one.
        own = [tree.by_id[item.id] for item in path if item.id not in foreign]
        notes = [*tree.diagnostics, *path_notes(tree.by_id, own)]
        if leaf is None:
            notes += stale_leaf(tree.entries, own)
        context, sources = tuple(index.context), tuple(index.sources)
    return Branch(tree, index.leaf, path, context, index.scope.epoch, sources, notes)


def snapshot_of(
    index: BranchIndex, tree: SessionTree, leaf: str | None, config: Config
) -> Snapshot | None:
    """Return the snapshot of a branch by what its index knows.

    None with AILI off and behind a fault: there the pure functions have little to do.
    """
    branch, state = branch_of(index, tree, leaf), index.cursor.state()
    if not (config.enabled and state.controls.enabled) or state.fault is not None:
        return None
    view = project(branch, state, enabled=config.enabled)
    if view.fault is not None:
        return None
    with index.counters.whole():
        facts, atoms = tuple(index.facts), tuple(index.reader.atoms)
    safe = protect(branch.sources, atoms, config, facts=facts, state=state)
    known: dict[str, Any] = {"facts": facts, "atoms": atoms, "protected": safe}
    use, window = window_use(branch, facts, state), config.context_window
    name = state_of(use.tokens, window, overflow=use.overflow, config=config)
    return Snapshot(
        tree,
        branch,
        state,
        view,
        config,
        catalog_of(branch, state, config, **known),
        WindowPressure(name, use, window),
        facts,
        atoms,
        safe,
        [*branch.diagnostics, *edit_notes(branch, state)],
        index.cursor.copy(),
    )


def differences(
    index: BranchIndex, tree: SessionTree, config: Config | None = None
) -> tuple[str, ...]:
    """Return what of an index is not as the pure functions have it; all of it is walked."""
    index.counters.audits += 1
    if index.leaf is not None and index.leaf not in tree.by_id:
        return ("leaf",)
    branch = tree.branch(index.leaf)
    facts = [facts_of(source) for source in branch.sources]
    state = replay(branch)
    blocks = {block_ref(at): name for at, name in enumerate(state.blocks)}
    leaves = ((source.entry_id, source.digest) for source in branch.sources)
    with index.counters.whole():
        equal = {
            "path": list(index.path) == list(branch.path),
            "context": list(index.context) == list(branch.context),
            "epoch": index.scope.epoch == branch.epoch,
            "sources": list(index.sources) == list(branch.sources),
            "facts": list(index.facts) == facts,
            "atoms": tuple(index.reader.atoms) == atoms_of(branch.sources, facts),
            "state": index.cursor.state() == state,
            "tokens": list(index.sums) == [0, *accumulate(one.tokens for one in facts)],
            "refs": dict(index._refs.items())  # noqa: SLF001 - the one judge of the index
            == {message_ref(at): at for at in range(len(facts))},
            "block-refs": dict(index._blocks.items()) == blocks,  # noqa: SLF001 - the same
            "digest": index.digest() == leaf_digest(leaves),
        }
    found = [name for name, same in equal.items() if not same]
    if config is not None and not found:
        found += _snapshot_differences(index, tree, config)
    return tuple(found)


def _snapshot_differences(index: BranchIndex, tree: SessionTree, config: Config) -> list[str]:
    mine = snapshot_of(index, tree, index.leaf, config)
    pure = take(tree, index.leaf, config)
    if mine is None:
        return []
    parts = ("projection", "protection", "catalog", "pressure", "diagnostics")
    return [name for name in parts if getattr(mine, name) != getattr(pure, name)]
