"""Safe ranges: the maximal runs of atoms that one summary may take.

Laws: a range is whole atoms, all of them safe, with an unsafe one or the end of the
context on either side; ranges do not overlap; there is no cap, since a range too long for
one summary fails the economics or the gate and is not to be cut in silence.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from attrs import evolve, field, frozen

from kernel.model import as_tuple
from kernel.projection.log.branch import Branch
from kernel.projection.log.digests import leaf_digest
from kernel.projection.metering.bounds import Bounds, bounds
from kernel.projection.metering.families import Family, family_of
from kernel.projection.metering.weight import total
from kernel.projection.model import Atom, Source, State, message_ref
from kernel.projection.planning.facts import Facts
from kernel.projection.planning.protection import Protected
from kernel.projection.settings.config import Config

__all__ = ["SafeRange", "digest_of", "safe_ranges"]

#: What a stub for a cooled result costs, in estimated tokens.
_STUB: Final = 48


@frozen
class SafeRange:
    """Sources from `first` to `last`, both inside, that one summary may take.

    `source_digest` is the leaf digest of exactly these sources, `scope_digest` says where
    they stand: branch, epoch, state. `tokens` bound what the view shows of them from
    facts alone, its lower bound no higher than the one a wire measures, which alone decides;
    `estimated` is the counter's number.
    """

    first: int
    last: int
    atoms: int
    source_ids: tuple[str, ...] = field(converter=as_tuple, repr=False)
    source_digest: str
    scope_digest: str
    tokens: Bounds
    estimated: int

    @property
    def start_ref(self) -> str:
        """Return the ref of the first source."""
        return message_ref(self.first)

    @property
    def end_ref(self) -> str:
        """Return the ref of the last source."""
        return message_ref(self.last)

    @cached_property
    def refs(self) -> tuple[str, ...]:
        """Return the refs of all sources."""
        return tuple(map(message_ref, range(self.first, self.last + 1)))


def safe_ranges(
    branch: Branch,
    state: State,
    config: Config,
    *,
    facts: Sequence[Facts],
    atoms: Sequence[Atom],
    protected: Protected,
    scope: str,
) -> tuple[SafeRange, ...]:
    """Return the ranges of a branch, in order."""
    family = family_of(config.provider, config.model)
    found = []
    for run in _runs(atoms, protected):
        first, last = run[0].first, run[-1].last
        digest = digest_of(branch, first, last)
        members = branch.sources[first : last + 1]
        tokens, estimated = _size(members, facts[first : last + 1], state, family)
        ids = [source.entry_id for source in members]
        found.append(SafeRange(first, last, len(run), ids, digest, scope, tokens, estimated))
    return tuple(found)


def digest_of(branch: Branch, first: int, last: int) -> str:
    """Return the leaf digest of sources of a branch."""
    members = branch.sources[first : last + 1]
    return leaf_digest((source.entry_id, source.digest) for source in members)


def _runs(atoms: Sequence[Atom], protected: Protected) -> Iterator[list[Atom]]:
    run: list[Atom] = []
    for atom in atoms:
        if protected.is_safe(atom.index):
            run.append(atom)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _size(
    sources: Sequence[Source], facts: Sequence[Facts], state: State, family: Family
) -> tuple[Bounds, int]:
    """Return the bounds and the estimate of what the view shows; a cooled body is gone."""
    if not state.cooled:
        weight = total(one.weight for one in facts)
        return bounds(weight, family, loose=True), sum(one.tokens for one in facts)
    weights, estimated = [], 0
    for source, one in zip(sources, facts, strict=True):
        cooled = source.entry_id in state.cooled
        empty = evolve(one.weight, narrow=0, wide=0, idle=0)
        weights.append(empty if cooled else one.weight)
        estimated += _STUB if cooled else one.tokens
    return bounds(total(weights), family, loose=True), estimated
