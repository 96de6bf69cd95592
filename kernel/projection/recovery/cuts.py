"""Where a context may be cut in two: what is summarised, and the tail that is kept.

    cuts_of(branch, atoms, facts)         every place, with the tokens of its tail
    plan_cut(branch, keep_tokens)         the one whose tail is nearest to what is wanted

Laws: a cut is between atoms, so never at a result; what is before it reaches back to the
first entry the last compaction kept, so that nothing is lost between two; the tail is
measured by the counter that measures everything else; a context that ends in a compaction
has no cut until something is added.
"""

from collections.abc import Sequence

from attrs import frozen

from kernel.projection.log.branch import Branch
from kernel.projection.model import Atom
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.facts import Facts, facts_of

__all__ = ["Cut", "cuts_of", "is_closed", "plan_cut"]

_HOST: frozenset[str] = frozenset({"summary", "system"})


@frozen
class Cut:
    """`first` is the index of the first source that is kept, `tail` the tokens from there."""

    first: int
    entry_id: str
    tail: int


def is_closed(branch: Branch) -> bool:
    """Tell whether nothing follows the last compaction of a branch."""
    return not branch.path or branch.path[-1].value.get("type") == "compaction"


def cuts_of(branch: Branch, atoms: Sequence[Atom], facts: Sequence[Facts]) -> tuple[Cut, ...]:
    """Return every cut that leaves messages on both sides, latest first."""
    if is_closed(branch):
        return ()
    raw = next((atom.first for atom in atoms if atom.kind not in _HOST), len(facts))
    found: list[Cut] = []
    tail = 0
    for atom in reversed(atoms):
        if atom.first <= raw:
            break
        tail += sum(facts[index].tokens for index in range(atom.first, atom.last + 1))
        if facts[atom.first].role not in ("toolResult", "system"):
            found.append(Cut(atom.first, branch.sources[atom.first].entry_id, tail))
    return tuple(found)


def plan_cut(
    branch: Branch,
    keep_tokens: int,
    *,
    atoms: Sequence[Atom] | None = None,
    facts: Sequence[Facts] | None = None,
) -> Cut | None:
    """Return the cut whose tail is nearest to `keep_tokens`, None where all of it is kept."""
    known = tuple(map(facts_of, branch.sources)) if facts is None else facts
    if sum(one.tokens for one in known) <= keep_tokens:
        return None
    whole = atoms_of(branch.sources, known) if atoms is None else atoms
    places = cuts_of(branch, whole, known)
    return min(places, key=lambda cut: (abs(cut.tail - keep_tokens), -cut.tail), default=None)
