"""Proofs of lineage: by ids, tier, epoch, digest, order and parents, never by text.

Each proof returns None, or the code of what does not hold. `closure_of` works on a state's
blocks as well as on the books of a replay, so that a planner and its judge count alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kernel.projection.journal.codec import CLOSURE
from kernel.projection.journal.schema import write
from kernel.projection.journal.versions import (
    EVALUATOR_VERSION,
    MANIFEST_VERSION,
    PROJECTION_VERSION,
)
from kernel.projection.log.digests import short
from kernel.projection.model import (
    TIERS,
    Block,
    Decompress,
    Depth,
    Origin,
    Quality,
    Recompress,
    SemanticCreate,
)
from kernel.projection.replaying.hard_limits import protected_leaf
from kernel.projection.replaying.ledger import Ledger

__all__ = [
    "closure_of",
    "family",
    "proof_of",
    "proof_of_create",
    "proof_of_decompress",
    "proof_of_recompress",
]

_T1, _T3 = TIERS[0], TIERS[2]
_REVIVES: Final = ("decompressed", "disabled")


def family(blocks: Mapping[str, Block], root: str) -> list[str]:
    """Return a block and all below it, each before its children, children in order."""
    found: list[str] = []
    waiting = [root]
    while waiting:
        name = waiting.pop()
        found.append(name)
        waiting.extend(reversed(blocks[name].children))
    return found


def closure_of(blocks: Mapping[str, Block], roots: Iterable[str], depth: Depth) -> tuple[str, ...]:
    """Return what a decompression switches off: the roots, to the raw also all below them."""
    if depth == "one":
        return tuple(roots)
    return tuple(name for root in roots for name in family(blocks, root))


def proof_of(blocks: Mapping[str, Block], root: str) -> str:
    """Return the digest of what may not change of a block: all below it, and all of that."""
    found = [blocks[name] for name in family(blocks, root)]
    said = [
        [one.block_id, one.tier, one.leaf_digest, one.projection_version, write(one.quality)]
        for one in found
    ]
    return short("", said, 64)


def proof_of_create(ledger: Ledger, made: SemanticCreate) -> str | None:
    """Prove what a new block stands for."""
    if made.block_id in ledger.blocks:
        return "lineage-block-exists"
    quality = made.quality
    if quality.enabled and not quality.accepted:
        return "lineage-quality"
    if not _is_known(quality):
        return "lineage-quality-version"
    if not 1 <= made.projection_version <= PROJECTION_VERSION:
        return "lineage-projection-version"
    code = _leaves(ledger, made) if made.tier == _T1 else _children(ledger, made)
    if code is not None:
        return code
    if ledger.scope.leaf_digest(made.source_ids) != made.leaf_digest:
        return "lineage-leaf-digest"
    return None


def _is_known(quality: Quality) -> bool:
    """Tell whether a verdict is of the gate of this release, or of an older one."""
    manifest, evaluator = quality.manifest_version, quality.evaluator_version
    return 0 <= manifest <= MANIFEST_VERSION and 0 <= evaluator <= EVALUATOR_VERSION


def _leaves(ledger: Ledger, made: SemanticCreate) -> str | None:
    scope = ledger.scope
    if not all(map(scope.visible, made.source_ids)):
        return "lineage-source-not-visible"
    if any(map(scope.is_summary, made.source_ids)):
        return "lineage-source-not-raw"
    return _range(ledger, made.source_ids) or protected_leaf(scope, made.source_ids, ledger.screen)


def _range(ledger: Ledger, source_ids: Sequence[str]) -> str | None:
    if not ledger.scope.contiguous(source_ids):
        return "lineage-not-contiguous"
    if not ledger.scope.whole(source_ids):
        return "lineage-atom-parted"
    return None


def _children(ledger: Ledger, made: SemanticCreate) -> str | None:
    below = _T3 if made.restill else made.tier - 1
    for name in made.children:
        child = ledger.blocks.get(name)
        if child is None:
            return "lineage-child-unknown"
        if child.version != 3:
            return "lineage-child-legacy"
        if child.epoch != ledger.epoch or ledger.status[name] == "query-only":
            return "lineage-child-epoch"
        if ledger.status[name] != "active" or name in ledger.parent:
            return "lineage-child-not-active"
        if child.tier != below:
            return "lineage-child-tier"
    leaves = tuple(leaf for name in made.children for leaf in ledger.blocks[name].source_ids)
    if leaves != made.source_ids:
        return "lineage-leaves"
    return None if ledger.scope.contiguous(leaves) else "lineage-not-contiguous"


def proof_of_decompress(ledger: Ledger, made: Decompress) -> str | None:
    """Prove that the roots are shown, and the closure is exactly theirs."""
    for name in made.roots:
        if name not in ledger.blocks:
            return "lineage-root-unknown"
        if ledger.status[name] != "active":
            return "lineage-root-not-active"
    # Active blocks are on no line of one another, so the closures are disjoint.
    if closure_of(ledger.blocks, made.roots, made.depth) != made.closure:
        return "lineage-closure"
    if len(made.closure) > CLOSURE:
        return "lineage-closure-size"
    digests = tuple(ledger.blocks[name].leaf_digest for name in made.closure)
    return None if digests == made.leaf_digests else "lineage-leaf-digest"


def proof_of_recompress(ledger: Ledger, made: Recompress, origin: Origin) -> str | None:
    """Prove that exactly the block that was opened comes back, over nothing that is shown."""
    block = ledger.blocks.get(made.block_id)
    if block is None:
        return "lineage-root-unknown"
    if block.version != 3:
        return "lineage-legacy-recompress"
    status = ledger.status[made.block_id]
    if status == "edited":
        return "lineage-source-edited"
    if status not in _REVIVES or ledger.opened.get(made.block_id) != made.decompressed_by:
        return "lineage-not-decompressed"
    bound = status == "disabled" or origin == "automatic" or ledger.controls.restored
    if origin != "user" and bound:
        return "lineage-needs-user"
    same = (block.tier, block.children, block.leaf_digest, len(block.source_ids))
    if same != (made.tier, made.children, made.leaf_digest, made.leaf_count):
        return "lineage-changed"
    shown = block.projection_version == made.projection_version
    if not shown or made.proof != proof_of(ledger.blocks, made.block_id):
        return "lineage-changed"
    if ledger.scope.leaf_digest(block.source_ids) != block.leaf_digest:
        return "lineage-leaf-digest"
    return _uncovered(ledger, block)


def _uncovered(ledger: Ledger, block: Block) -> str | None:
    """Prove that nothing but the block's own family covers its leaves."""
    own = set(family(ledger.blocks, block.block_id))
    covers = {ledger.scope.owner.get(leaf) for leaf in block.source_ids} - {None}
    if not covers <= own:
        return "lineage-overlap"
    parents = {ledger.parent[name] for name in own if name in ledger.parent}
    return None if parents <= own else "lineage-two-parents"
