"""Protection: which atoms no summary may take, and why.

    protected = protect(sources, atoms, config, facts=facts, state=state)
    protected.reasons[atom.index]       # None where the atom is safe

The recent tail is the newest whole atoms and at least so many estimated tokens; an atom
across that line is protected whole. Laws: the tail is a setting; every other reason is
hard, no setting weakens it; every atom has one reason at most, the gravest by `REASONS`.

A turn is one answer of the model with the results of its calls. The newest turn is
unfinished until a later answer has read its results, and so is a question without an
answer. Calls of our own tools at the live end take no place in the tail, or a catalog
would be stale as soon as it is read.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.model import Atom, Source, State
from kernel.projection.planning.atoms import INCOMPLETE
from kernel.projection.planning.facts import Facts, facts_of
from kernel.projection.settings.config import Config

__all__ = [
    "CONTROL_PREFIX",
    "HARD",
    "REASONS",
    "SETTLED",
    "Protected",
    "covered_by",
    "protect",
    "tail_tokens",
]

#: Names of our own tools begin with this.
CONTROL_PREFIX: Final = "aili_"
#: Every reason, gravest first.
REASONS: Final = (
    "system",
    "summary",
    "covered",
    "malformed",
    "incomplete",
    "binary",
    "secret",
    "newest-user",
    "unfinished-turn",
    "control",
    "recent-atoms",
    "recent-tokens",
)
#: The reasons no setting touches.
HARD: Final = frozenset(REASONS) - {"recent-atoms", "recent-tokens"}
#: Reasons to stop that end an answer for good.
SETTLED: Final = (None, "stop", "length", "toolUse")


@frozen
class Protected:
    """The reason of every atom by index; `anchor` is the last atom before our live calls.

    The anchor is an atom index, -1 where there is none.
    """

    reasons: tuple[str | None, ...] = field(converter=as_tuple)
    anchor: int = -1

    def is_safe(self, atom: int) -> bool:
        """Tell whether a summary may take an atom."""
        return self.reasons[atom] is None

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Return how many atoms each reason excludes, gravest reason first."""
        found = dict.fromkeys(REASONS, 0)
        for reason in self.reasons:
            if reason is not None:
                found[reason] += 1
        return {reason: count for reason, count in found.items() if count}


def covered_by(state: State | None) -> Collection[str]:
    """Return the entry ids the active blocks of a state stand for."""
    if state is None or state.fault is not None:
        return frozenset()
    return frozenset(entry for block in state.active() for entry in block.source_ids)


def tail_tokens(config: Config) -> int:
    """Return how many estimated tokens the recent tail holds at least."""
    settings = config.protection
    if not config.context_window or config.context_window < 0:
        return settings.preserve_recent_tokens
    share = int(settings.preserve_recent_token_cap_ratio * config.context_window)
    return min(settings.preserve_recent_tokens, share)


def protect(
    sources: Sequence[Source],
    atoms: Sequence[Atom],
    config: Config,
    *,
    facts: Sequence[Facts] | None = None,
    state: State | None = None,
) -> Protected:
    """Return what is protected of a context; `facts` where they are known already."""
    known = tuple(map(facts_of, sources)) if facts is None else facts
    covered = covered_by(state)
    anchor = _anchor(atoms, known)
    special = _special(atoms, known, anchor)
    tail = _tail(atoms[: anchor + 1], known, config)
    reasons: list[str | None] = []
    for atom in atoms:
        reason = _of_itself(atom, sources, known, covered)
        reasons.append(reason or special.get(atom.index) or tail.get(atom.index))
    return Protected(reasons, anchor)


def _of_itself(
    atom: Atom, sources: Sequence[Source], facts: Sequence[Facts], covered: Collection[str]
) -> str | None:
    """Return why an atom is protected wherever it stands."""
    if atom.kind == "system" or atom.kind == "summary":  # noqa: PLR1714 - kinds are reasons here
        return atom.kind
    members = range(atom.first, atom.last + 1)
    if covered and any(sources[index].entry_id in covered for index in members):
        return "covered"
    if atom.flaw is not None:
        return "incomplete" if atom.flaw in INCOMPLETE else "malformed"
    if any(facts[index].binary for index in members):
        return "binary"
    if any(facts[index].secret is not None for index in members):
        return "secret"
    return None


def _anchor(atoms: Sequence[Atom], facts: Sequence[Facts]) -> int:
    """Return the last atom before the run of our own calls at the live end."""
    at = len(atoms) - 1
    while at >= 0 and _is_control(facts[atoms[at].first]):
        at -= 1
    return at


def _is_control(facts: Facts) -> bool:
    """Tell an answer that does nothing but call our tools."""
    tools = facts.tools
    return (
        facts.role == "assistant"
        and bool(tools)
        and all(name.startswith(CONTROL_PREFIX) for name in tools)
    )


def _special(atoms: Sequence[Atom], facts: Sequence[Facts], anchor: int) -> Mapping[int, str]:
    """Return the atoms protected for their place: newest question, open turn, our calls."""
    found: dict[int, str] = dict.fromkeys(range(anchor + 1, len(atoms)), "control")
    for at in range(anchor, -1, -1):
        if _is_answer(atoms[at], facts):
            if atoms[at].kind == "tool":
                found[at] = "unfinished-turn"
            break
        found[at] = "unfinished-turn"
    newest = _newest(atoms, facts, ("user",))
    if newest is None:
        newest = _newest(atoms, facts, ("custom", "bashExecution"))
    if newest is not None:
        found[newest] = "newest-user"
    return found


def _is_answer(atom: Atom, facts: Sequence[Facts]) -> bool:
    first = facts[atom.first]
    return first.role == "assistant" and first.stop in SETTLED


def _newest(atoms: Sequence[Atom], facts: Sequence[Facts], roles: Iterable[str]) -> int | None:
    """Return the atom of the newest message of some roles, interrupted calls included."""
    for atom in reversed(atoms):
        for index in range(atom.last, atom.first - 1, -1):
            if facts[index].role in roles:
                return atom.index
    return None


def _tail(atoms: Sequence[Atom], facts: Sequence[Facts], config: Config) -> Mapping[int, str]:
    """Return the recent atoms, newest first, with the rule that reached them."""
    budget = tail_tokens(config)
    count = config.protection.preserve_recent_atoms
    found: dict[int, str] = {}
    held = 0
    for atom in reversed(atoms):
        if len(found) < count:
            found[atom.index] = "recent-atoms"
        elif held < budget:
            found[atom.index] = "recent-tokens"
        else:
            break
        held += sum(facts[index].tokens for index in range(atom.first, atom.last + 1))
    return found
