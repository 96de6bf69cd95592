"""The catalog: what of a branch may be compressed now, under one id.

    catalog = catalog_of(branch, state, config)     # facts, atoms, protection where known
    match(catalog, catalog_id, refs)                # a SafeRange, or a refusal
    match_span(catalog, catalog_id, start, end)     # the same, by its two ends
    match_blocks(catalog, catalog_id, refs, branch=branch, state=state, config=config)

Laws: what is submitted equals one recommendation of the current catalog or is refused,
nothing is taken out of a range or added to it; everything left out is counted by reason;
the id is a digest of branch, epoch, ranges, blocks and state: equal catalogs have equal
ids, any change of one gives another. Calls of our own tools at the live end change no
catalog, so that a model can act on the one it has just read.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from kernel.model import NOTHING, as_tuple
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.log.branch import Branch
from kernel.projection.log.digests import short
from kernel.projection.metering.families import family_of
from kernel.projection.model import Atom, State, message_ref
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.facts import Facts, facts_of
from kernel.projection.planning.promotions import BlockSet, chosen, promotions
from kernel.projection.planning.protection import Protected, protect
from kernel.projection.planning.ranges import SafeRange, digest_of, safe_ranges
from kernel.projection.settings.config import Config

__all__ = [
    "Catalog",
    "catalog_of",
    "is_current",
    "match",
    "match_blocks",
    "match_span",
]

_REF: Final = re.compile(r"m[0-9]{6,12}")
_MISMATCH: Final = "source-summary-scope-mismatch"


@frozen
class Catalog:
    """What may be compressed now.

    `anchor` is the entry of the last source that counts, empty where there is none;
    `exclusions` counts atoms, `block_exclusions` shown blocks that no recommendation takes,
    by reason; `size` is how many sources have a ref.

    Attributes:
        catalog_id: A digest; a call that names another one is refused.
        session_id: The session's id.
        epoch: The compaction it begins after.
        ranges: The ranges that may be folded.
        blocks: The blocks that may be folded again.
    """

    catalog_id: str
    session_id: str
    epoch: str
    anchor: str
    size: int
    ranges: tuple[SafeRange, ...] = field(default=(), converter=as_tuple)
    blocks: tuple[BlockSet, ...] = field(default=(), converter=as_tuple)
    exclusions: Mapping[str, int] = NOTHING
    block_exclusions: Mapping[str, int] = NOTHING


def catalog_of(
    branch: Branch,
    state: State,
    config: Config,
    *,
    facts: Sequence[Facts] | None = None,
    atoms: Sequence[Atom] | None = None,
    protected: Protected | None = None,
) -> Catalog:
    """Return the catalog of a branch; what is known of it already may be given.

    Behind a fault there are no recommendations.
    """
    known = tuple(map(facts_of, branch.sources)) if facts is None else facts
    atoms = atoms_of(branch.sources, known) if atoms is None else atoms
    if protected is None:
        protected = protect(branch.sources, atoms, config, facts=known, state=state)
    anchor = _anchor(branch, atoms, protected)
    scope = _scope(branch, state, config, anchor)
    ranges: tuple[SafeRange, ...] = ()
    blocks: tuple[BlockSet, ...] = ()
    excluded: Mapping[str, int] = {"fault": len(atoms)}
    left: Mapping[str, int] = {"fault": len(state.active())}
    if state.fault is None:
        ranges = safe_ranges(
            branch, state, config, facts=known, atoms=atoms, protected=protected, scope=scope
        )
        blocks, left = promotions(branch, state, config)
        excluded = protected.counts
    return Catalog(
        _name(scope, ranges, blocks),
        branch.session_id,
        branch.epoch,
        anchor,
        len(branch.sources),
        ranges,
        blocks,
        excluded,
        left,
    )


def _anchor(branch: Branch, atoms: Sequence[Atom], protected: Protected) -> str:
    if protected.anchor < 0:
        return ""
    return branch.sources[atoms[protected.anchor].last].entry_id


def _name(scope: str, ranges: Sequence[SafeRange], blocks: Sequence[BlockSet]) -> str:
    listed = [[one.first, one.last, one.source_digest] for one in ranges]
    sets = [[one.tier, list(one.block_ids), one.source_digest] for one in blocks]
    return short("cat_", {"scope": scope, "ranges": listed, "blocks": sets}, 24)


def _scope(branch: Branch, state: State, config: Config, anchor: str) -> str:
    """Return the digest of where a catalog holds: the branch to its anchor, and the state."""
    edits = [item.id for item in branch.context if item.value.get("type") == "context_edit"]
    told = {
        "session": branch.session_id,
        "epoch": branch.epoch,
        "anchor": anchor,
        "edits": edits,
        "transactions": list(state.transactions),
        "repaired": sorted(state.repaired),
        "fault": None if state.fault is None else state.fault.code,
        "estimator": family_of(config.provider, config.model).estimator,
    }
    return short("scope_", told, 24)


def match(catalog: Catalog, catalog_id: str, refs: Sequence[str]) -> SafeRange | Refusal:
    """Return the range that a set of message refs is, every ref of it and no other."""
    if catalog_id != catalog.catalog_id:
        return refuse("stale-catalog")
    unknown = [ref for ref in refs if _index(catalog, ref) is None]
    if unknown or not refs:
        return refuse("unknown-ref")
    if len(set(refs)) != len(refs):
        return refuse(
            "duplicate-ref", sorted(ref for ref, count in Counter(refs).items() if count > 1)
        )
    indices = sorted(int(ref[1:]) - 1 for ref in refs)
    first, last = indices[0], indices[-1]
    if last - first + 1 != len(indices):
        return _mismatch(catalog, first, last, "The refs leave messages out.")
    return _exact(catalog, first, last)


def match_span(
    catalog: Catalog, catalog_id: str, start_ref: str, end_ref: str
) -> SafeRange | Refusal:
    """Return the range that reaches from one message ref to another, both inside."""
    if catalog_id != catalog.catalog_id:
        return refuse("stale-catalog")
    first, last = _index(catalog, start_ref), _index(catalog, end_ref)
    if first is None or last is None:
        return refuse("unknown-ref")
    return _exact(catalog, first, last)


def _index(catalog: Catalog, ref: str) -> int | None:
    """Return the index of a message ref in its one spelling, None where it names nothing."""
    if not _REF.fullmatch(ref):
        return None
    index = int(ref[1:]) - 1
    return index if 0 <= index < catalog.size and message_ref(index) == ref else None


def _exact(catalog: Catalog, first: int, last: int) -> SafeRange | Refusal:
    for one in catalog.ranges:
        if one.first == first and one.last == last:
            return one
    return _mismatch(catalog, first, last, _difference(catalog, first, last))


def _difference(catalog: Catalog, first: int, last: int) -> str:
    """Say how a selection differs from the recommendations it touches."""
    if first > last:
        return "It ends before it starts."
    touched = [one for one in catalog.ranges if one.first <= last and first <= one.last]
    if not touched:
        return "All of it is protected."
    if len(touched) > 1:
        return f"It crosses protected messages between {len(touched)} ranges."
    one = touched[0]
    if one.first <= first and last <= one.last:
        return "It is narrower than the recommended range."
    return "It is wider than the recommended range, over protected messages."


def _mismatch(catalog: Catalog, first: int, last: int, detail: str) -> Refusal:
    """Refuse with the ends of the ranges that were probably meant."""
    touched = [one for one in catalog.ranges if one.first <= last and first <= one.last]
    return refuse(
        _MISMATCH, [ref for one in touched for ref in (one.start_ref, one.end_ref)], detail
    )


def match_blocks(
    catalog: Catalog,
    catalog_id: str,
    refs: Sequence[str],
    *,
    branch: Branch,
    state: State,
    config: Config,
) -> BlockSet | Refusal:
    """Return the set that block refs are; part of a recommended set is a set, too."""
    if catalog_id != catalog.catalog_id:
        return refuse("stale-catalog")
    return chosen(branch, state, config, refs)


def is_current(one: SafeRange, branch: Branch) -> bool:
    """Tell whether the sources of a range are still what its digest says."""
    return digest_of(branch, one.first, one.last) == one.source_digest
