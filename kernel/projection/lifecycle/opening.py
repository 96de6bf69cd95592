"""Opening blocks and closing them again: planned, proved, never a new summary.

    decompress(snapshot, refs, depth, origin)    to the children, or to the raw messages
    recompress(snapshot, refs, origin)           exactly what was opened, as it was

Laws: a root is a block the view shows; roots do not contain one another; `raw` opens the
whole closure, 256 blocks at most; blocks of version 1 and 2 open to their messages and are
never closed again; what closes is unchanged in leaves, children, tier and gate, was opened
by an explicit transaction, and overlaps nothing that is shown but its own descendants; what
an edit of a source opened stays open.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kernel.projection.journal.codec import CLOSURE, ROOTS
from kernel.projection.journal.versions import (
    EVALUATOR_VERSION,
    MANIFEST_VERSION,
    PROJECTION_VERSION,
)
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.lifecycle.sealing import sealed, writable
from kernel.projection.log.digests import leaf_digest
from kernel.projection.model import (
    Block,
    Decompress,
    Depth,
    Origin,
    Recompress,
    Transaction,
)
from kernel.projection.replaying.lineage import closure_of, family, proof_of
from kernel.projection.snapshot import Snapshot

__all__ = ["blocks_of", "decompress", "recompress"]

_LEGACY: Final = (1, 2)


def blocks_of(snapshot: Snapshot, refs: Sequence[str]) -> tuple[Block, ...] | Refusal:
    """Return the blocks of the branch that refs name, each once."""
    known = {block.ref: block for block in snapshot.state.blocks.values()}
    lost = [ref for ref in refs if ref not in known]
    if lost:
        return refuse("unknown-ref", lost)
    if len(set(refs)) != len(refs):
        return refuse("duplicate-ref", sorted({ref for ref in refs if refs.count(ref) > 1}))
    found = tuple(known[ref] for ref in refs)
    old = [b.ref for b in found if snapshot.state.status[b.block_id] == "query-only"]
    return refuse("epoch-query-only", old) if old else found


def decompress(
    snapshot: Snapshot, refs: Sequence[str], depth: Depth, origin: Origin
) -> Transaction | Refusal:
    """Plan the opening of blocks that are shown."""
    stop = writable(snapshot)
    if stop is not None:
        return stop
    if len(refs) not in ROOTS:
        return refuse("too-many-refs" if refs else "unknown-ref")
    roots = blocks_of(snapshot, refs)
    if isinstance(roots, Refusal):
        return roots
    state = snapshot.state
    names = [block.block_id for block in roots]
    nested = [b.ref for b in roots if b.block_id in _below(state.blocks, names)]
    if nested:
        return refuse("roots-overlap", nested)
    hidden = [block.ref for block in roots if state.status[block.block_id] != "active"]
    if hidden:
        return refuse("block-not-active", hidden)
    closure = closure_of(state.blocks, names, depth)
    if len(closure) > CLOSURE:
        return refuse("closure-too-large", refs, f"They hold {len(closure)}.")
    digests = [state.blocks[name].leaf_digest for name in closure]
    return sealed(snapshot, origin, Decompress(depth, names, closure, digests))


def _below(blocks: Mapping[str, Block], names: Sequence[str]) -> frozenset[str]:
    """Return the blocks strictly under any of some blocks."""
    children = [child for name in names for child in blocks[name].children]
    return frozenset(closure_of(blocks, children, "raw"))


def recompress(snapshot: Snapshot, ref: str, origin: Origin) -> Transaction | Refusal:
    """Plan the closing of a block that was opened explicitly."""
    stop = writable(snapshot)
    if stop is not None:
        return stop
    found = blocks_of(snapshot, (ref,))
    if isinstance(found, Refusal):
        return found
    block = found[0]
    wrong = _not_closable(snapshot, block, origin)
    if wrong is not None:
        return refuse(wrong, (ref,))
    return sealed(
        snapshot,
        origin,
        Recompress(
            block.block_id,
            block.tier,
            block.children,
            block.leaf_digest,
            len(block.source_ids),
            snapshot.state.opened[block.block_id],
            block.projection_version,
            proof_of(snapshot.state.blocks, block.block_id),
        ),
    )


def _not_closable(snapshot: Snapshot, block: Block, origin: Origin) -> str | None:
    """Return the code of the first reason a block may not be closed."""
    state = snapshot.state
    if block.version in _LEGACY:
        return "legacy-recompress"
    status = state.status[block.block_id]
    if status == "edited":
        return "source-edited"
    if origin != "user" and (state.controls.restored or status == "disabled"):
        return "restored"
    if status == "active" or block.block_id not in state.opened:
        return "block-not-decompressed"
    if not _unchanged(snapshot, block):
        return "lineage-changed"
    own = set(block.source_ids)
    line = set(family(state.blocks, block.block_id))
    shown = state.active()
    if any(other.block_id not in line and own & set(other.source_ids) for other in shown):
        return "overlapping-parent"
    return None


def _unchanged(snapshot: Snapshot, block: Block) -> bool:
    """Tell whether a block still stands for what it was made from, under the same gate."""
    branch, quality = snapshot.branch, block.quality
    if quality is None or any(name not in branch.index for name in block.source_ids):
        return False
    sources = [branch.sources[branch.index[name]] for name in block.source_ids]
    leaves = leaf_digest((source.entry_id, source.digest) for source in sources)
    versions = (quality.manifest_version, quality.evaluator_version, block.projection_version)
    known = (MANIFEST_VERSION, EVALUATOR_VERSION, PROJECTION_VERSION)
    return leaves == block.leaf_digest and versions == known
