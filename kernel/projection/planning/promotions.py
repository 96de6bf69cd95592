"""Promotions: which shown blocks may become one block of the tier above.

    found, excluded = promotions(branch, state, config)
    made = chosen(branch, state, config, refs)     # a set by its refs, or a refusal

A set is 2 to 16 blocks of version 3 of this epoch that are shown, of one tier, with
nothing between them: T1 for a T2, T2 for a T3, T3 for one T3 again (a restill, under the
thresholds that can be told before its summary is written). Laws: sets do not overlap;
every shown block that is in no set is counted under the reason; text plays no part.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.log.branch import Branch
from kernel.projection.log.digests import leaf_digest
from kernel.projection.metering.bounds import Bounds, bounds
from kernel.projection.metering.families import Family, family_of
from kernel.projection.metering.weight import total, weigh
from kernel.projection.model import Block, State, Tier
from kernel.projection.settings.config import Config

__all__ = ["LEAST", "MOST", "BlockSet", "Placed", "block_set", "chosen", "in_place", "promotions"]

#: Children of a block of a higher tier, at least and at most.
LEAST: Final = 2
MOST: Final = 16
_ABOVE: Final[Mapping[int, Tier]] = {1: 2, 2: 3, 3: 3}


@frozen
class BlockSet:
    """Blocks in order that may become one: `tier` is the new block's.

    `tokens` are the bounds of their summaries, which stand in the view now; `turns` the
    settled answers since the newest of them was made.
    """

    tier: Tier
    restill: bool
    block_ids: tuple[str, ...] = field(converter=as_tuple)
    refs: tuple[str, ...] = field(converter=as_tuple)
    source_ids: tuple[str, ...] = field(converter=as_tuple, repr=False)
    source_digest: str
    tokens: Bounds
    turns: int


@frozen
class Placed:
    """A shown block and the sources it stands for: first and last index."""

    block: Block
    first: int
    last: int


def in_place(branch: Branch, state: State) -> list[Placed]:
    """Return the shown blocks that still have sources in the context, by their place."""
    index = branch.index
    found = []
    for block in state.active():
        places = [index[name] for name in block.source_ids if name in index]
        if places:
            found.append(Placed(block, places[0], places[-1]))
    found.sort(key=lambda placed: placed.first)
    return found


def block_set(branch: Branch, placed: Sequence[Placed], family: Family) -> BlockSet:
    """Return the set of some placed blocks, which are in order."""
    blocks = [one.block for one in placed]
    source_ids = [name for block in blocks for name in block.source_ids]
    index = branch.index
    leaves = [
        (name, branch.sources[index[name]].digest if name in index else "") for name in source_ids
    ]
    summaries = total(weigh(block.summary, messages=1) for block in blocks)
    tier = _ABOVE[blocks[0].tier]
    return BlockSet(
        tier,
        blocks[0].tier == tier,
        [block.block_id for block in blocks],
        [block.ref for block in blocks],
        source_ids,
        leaf_digest(leaves),
        bounds(summaries, family, loose=True),
        branch.settled[-1] - max(block.turn for block in blocks),
    )


def promotions(
    branch: Branch, state: State, config: Config
) -> tuple[tuple[BlockSet, ...], Mapping[str, int]]:
    """Return the sets, and how many shown blocks are in none, by reason."""
    excluded: Counter[str] = Counter()
    found: list[BlockSet] = []
    family = family_of(config.provider, config.model)
    for run in _runs(in_place(branch, state)):
        first = run[0].block
        reason = _reason(first, len(run), config)
        if reason is not None:
            excluded[reason] += len(run)
            continue
        for chunk in _chunks(run):
            made = block_set(branch, chunk, family)
            late = _too_early(made, config) if made.restill else None
            if late is None:
                found.append(made)
            else:
                excluded[late] += len(chunk)
    return tuple(found), dict(excluded)


def _reason(first: Block, count: int, config: Config) -> str | None:
    """Return why a run of blocks of one tier is no set."""
    if first.version != 3:
        return "legacy-child"
    if not config.tiers.enabled:
        return "tiers-disabled"
    if first.tier == 3 and not config.tiers.restill.enabled:
        return "restill-disabled"
    return "no-neighbour" if count < LEAST else None


def _too_early(made: BlockSet, config: Config) -> str | None:
    """Return which threshold of a restill is not met, as far as no summary is needed."""
    rules = config.tiers.restill
    if len(made.block_ids) < rules.min_children:
        return "restill-min-children"
    if made.tokens.lower < rules.min_source_tokens:
        return "restill-min-source-tokens"
    if made.turns < rules.min_turns_since_create:
        return "restill-min-turns-since-create"
    return None


def _runs(placed: Iterable[Placed]) -> Iterator[list[Placed]]:
    """Yield runs of blocks of one tier and version with no source between them."""
    run: list[Placed] = []
    for one in placed:
        if run and not _joins(run[-1], one):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _joins(last: Placed, one: Placed) -> bool:
    same = last.block.tier == one.block.tier and last.block.version == one.block.version == 3
    return same and one.first == last.last + 1


def _chunks(run: Sequence[Placed]) -> Iterator[Sequence[Placed]]:
    """Yield parts of at most 16, none of them a single block."""
    at = 0
    while at < len(run):
        size = MOST - 1 if len(run) - at == MOST + 1 else MOST
        yield run[at : at + size]
        at += size


def chosen(branch: Branch, state: State, config: Config, refs: Sequence[str]) -> BlockSet | Refusal:
    """Return the set that block refs are, in whatever order, or why they are none.

    The thresholds of a restill are not judged here: they need its summary.
    """
    if not LEAST <= len(refs) <= MOST:
        return refuse("children-count", refs)
    if len(set(refs)) != len(refs):
        return refuse("duplicate-ref", refs)
    blocks = {block.ref: block for block in state.blocks.values()}
    if not all(ref in blocks for ref in refs):
        return refuse("unknown-ref")
    code = _unfit([blocks[ref] for ref in refs], state)
    if code is not None:
        return refuse(code, refs)
    wanted = set(refs)
    placed = [one for one in in_place(branch, state) if one.block.ref in wanted]
    if len(placed) != len(refs) or len(list(_runs(placed))) != 1:
        return refuse("children-not-contiguous", refs)
    return block_set(branch, placed, family_of(config.provider, config.model))


def _unfit(blocks: Sequence[Block], state: State) -> str | None:
    status = [state.status[block.block_id] for block in blocks]
    if "query-only" in status or any(block.epoch != state.epoch for block in blocks):
        return "epoch-query-only"
    if any(block.version != 3 for block in blocks):
        return "legacy-child"
    if any(one != "active" for one in status):
        return "block-not-active"
    return "children-tier-mismatch" if len({block.tier for block in blocks}) != 1 else None
