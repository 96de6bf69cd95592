"""Coverage: what of the context before a cut is told by summaries that were accepted.

    reach = reach_of(snapshot)
    reach.covers(cut)                # may everything before this cut be left to summaries
    pieces_of(snapshot, cut)         # the texts that stand for it, proved; None if not

Laws: shown blocks with accepted evidence cover their leaves, and no other block does: one
made with the gate switched off, or of version 1 or 2, covers nothing; neither does a stub
for a cooled result; an earlier checkpoint is carried word for word; a small rest between
blocks may be told by an outline of its own facts, where the gate is on and nothing in it
is protected but by being recent. Every block is judged again, leaves and summary, when it
is used.
"""

from typing import Any, Final, Literal

from attrs import evolve, field, frozen

from kernel.model import as_tuple
from kernel.ports import count_tokens
from kernel.projection.lifecycle.gating import gate, manifest_of
from kernel.projection.log.digests import leaf_digest
from kernel.projection.model import Block, Quality, Source
from kernel.projection.planning.protection import CONTROL_PREFIX
from kernel.projection.quality import EVALUATOR_VERSION, MANIFEST_VERSION, outline
from kernel.projection.recovery.cuts import Cut
from kernel.projection.settings.config import QualitySettings
from kernel.projection.snapshot import Snapshot

__all__ = ["Piece", "Reach", "pieces_of", "reach_of"]

#: Reasons of protection an outline may pass over.
_SOFT: Final = frozenset({None, "recent-atoms", "recent-tokens"})
#: The share of what is summarised, in tokens, that outlines may stand for.
_OUTLINED: Final = 0.25
#: Messages that outlines may stand for: to write one takes the square of their facts.
_MOST_OUTLINED: Final = 128
#: Tokens of a heading.
_HEADING: Final = 24
_SUMMARIES: Final = ("compactionSummary", "branchSummary")


@frozen
class Piece:
    """One text of a checkpoint and how many sources it stands for."""

    kind: Literal["carried", "block", "outline"]
    text: str
    count: int
    block: Block | None = None


@frozen
class Reach:
    """How far coverage goes; lists have one value for every place a cut may be.

    Cuts up to `limit` have nothing uncoverable before them, none of `inside` parts no
    block; `blocks`, `rest`, `gaps`, `sizes` and `texts` count what is before: blocks,
    messages in no block, their tokens, all tokens, and tokens of what will stand for them.
    """

    limit: int
    inside: frozenset[int]
    blocks: tuple[int, ...] = field(converter=as_tuple, repr=False)
    rest: tuple[int, ...] = field(converter=as_tuple, repr=False)
    gaps: tuple[int, ...] = field(converter=as_tuple, repr=False)
    sizes: tuple[int, ...] = field(converter=as_tuple, repr=False)
    texts: tuple[int, ...] = field(converter=as_tuple, repr=False)

    def covers(self, cut: Cut) -> bool:
        """Tell whether summaries may stand for everything before a cut."""
        at = cut.first
        if at > self.limit or at in self.inside or not self.blocks[at]:
            return False
        if self.rest[at] > _MOST_OUTLINED:
            return False
        return self.gaps[at] <= _OUTLINED * self.sizes[at]


def is_accepted(block: Block) -> bool:
    """Tell a block whose summary the present gate accepted."""
    quality = block.quality
    if block.version != 3 or quality is None or not (quality.enabled and quality.accepted):
        return False
    versions = (quality.manifest_version, quality.evaluator_version)
    return versions == (MANIFEST_VERSION, EVALUATOR_VERSION)


def reach_of(snapshot: Snapshot) -> Reach:
    """Return how far the blocks of a snapshot reach, without judging their summaries."""
    sources, facts, state = snapshot.branch.sources, snapshot.facts, snapshot.state
    owner = {leaf: block for block in state.active() for leaf in block.source_ids}
    atom_of = [atom for atom in snapshot.atoms for _ in range(atom.first, atom.last + 1)]
    blocks, rest, gaps, sizes, texts = [0], [0], [0], [0], [0]
    inside: set[int] = set()
    seen: set[str] = set()
    for at, source in enumerate(sources):
        block = owner.get(source.entry_id)
        gap = text = 0
        if block is not None:
            if not is_accepted(block):
                break
            if block.block_id in seen:
                inside.add(at)
            else:
                seen.add(block.block_id)
                text = count_tokens(block.summary) + _HEADING
        elif source.message.get("role") in _SUMMARIES:
            text = facts[at].tokens + _HEADING
        elif not _is_silent(snapshot, atom_of[at].index):
            if not _may_outline(snapshot, atom_of[at].index, source):
                break
            gap = text = facts[at].tokens
        blocks.append(len(seen))
        rest.append(rest[-1] + bool(gap))
        gaps.append(gaps[-1] + gap)
        sizes.append(sizes[-1] + facts[at].tokens)
        texts.append(texts[-1] + text)
    return Reach(len(blocks) - 1, frozenset(inside), blocks, rest, gaps, sizes, texts)


def _may_outline(snapshot: Snapshot, atom: int, source: Source) -> bool:
    """Tell a source in no block that an outline may stand for."""
    if not snapshot.config.quality.enabled or source.entry_id in snapshot.state.cooled:
        return False
    return snapshot.protection.reasons[atom] in _SOFT


def _is_silent(snapshot: Snapshot, atom: int) -> bool:
    """Tell an atom that needs no summary: the host restores it, or no model is shown it."""
    one = snapshot.atoms[atom]
    facts = snapshot.facts[one.first]
    if one.kind == "system" or facts.hidden:
        return True
    own = bool(facts.tools) and all(name.startswith(CONTROL_PREFIX) for name in facts.tools)
    return own and one.flaw is None and not _speaks(snapshot.branch.sources[one.first])


def _speaks(source: Source) -> bool:
    """Tell whether an assistant message says something beside its calls."""
    parts: Any = source.message.get("content")
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    return any(str(text).strip() for text in texts)


def pieces_of(snapshot: Snapshot, cut: Cut) -> tuple[Piece, ...] | None:
    """Return what stands for everything before a cut, in order; None where a proof fails."""
    strict = evolve(snapshot, config=evolve(snapshot.config, quality=QualitySettings()))
    owner = {leaf: block for block in snapshot.state.active() for leaf in block.source_ids}
    atom_of = [atom.index for atom in snapshot.atoms for _ in range(atom.first, atom.last + 1)]
    found: list[Piece] = []
    rest: list[Source] = []
    seen: set[str] = set()
    for source in snapshot.branch.sources[: cut.first]:
        block = owner.get(source.entry_id)
        carried = source.message.get("role") in _SUMMARIES
        if block is None and not carried:
            if not _is_silent(snapshot, atom_of[source.index]):
                rest.append(source)
            continue
        if block is not None and block.block_id in seen:
            continue
        if not _outlined(strict, rest, found):
            return None
        if block is None:
            found.append(Piece("carried", str(source.message.get("summary", "")), 1))
        elif _holds(strict, block, cut):
            seen.add(block.block_id)
            found.append(Piece("block", block.summary, len(block.source_ids), block))
        else:
            return None
    return tuple(found) if _outlined(strict, rest, found) else None


def _outlined(snapshot: Snapshot, rest: list[Source], found: list[Piece]) -> bool:
    """Turn a rest into the outline of its facts, if the gate takes it."""
    if not rest:
        return True
    text = outline(manifest_of(rest))
    names = [source.entry_id for source in rest]
    if text.strip():
        verdict = gate(snapshot, names, text)
        if not (isinstance(verdict, Quality) and verdict.accepted and verdict.enabled):
            return False
        found.append(Piece("outline", text, len(rest)))
        rest.clear()
        return True
    return False


def _holds(snapshot: Snapshot, block: Block, cut: Cut) -> bool:
    """Prove a block again: its leaves before the cut, their digest, its summary at the gate."""
    branch = snapshot.branch
    places = [branch.index.get(name, len(branch.sources)) for name in block.source_ids]
    if max(places, default=cut.first) >= cut.first or not is_accepted(block):
        return False
    leaves = [branch.sources[at] for at in places]
    if leaf_digest((leaf.entry_id, leaf.digest) for leaf in leaves) != block.leaf_digest:
        return False
    verdict = gate(snapshot, block.source_ids, block.summary)
    return isinstance(verdict, Quality) and verdict.accepted and verdict.enabled
