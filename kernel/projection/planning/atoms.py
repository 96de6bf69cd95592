"""Protocol atoms: what of a context may not be parted.

    atoms = atoms_of(branch.sources)            # every source in exactly one atom, in order
    reader = AtomReader(); reader.add(facts)    # the same, one source at a time

An assistant message with calls is one atom with all the results of its calls; any other
message is an atom of its own. Laws: a result belongs to the nearest call before it that
has its id and no result yet; whatever lies between a call and its result is in their
atom, and then the atom is malformed; a result that answers nothing joins the tool atom it
stands directly behind. Flaws are told, never mended. Adding a source costs what it
changes: the last atom, or the atoms a late result joins.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from kernel.projection.model import Atom, Source
from kernel.projection.planning.facts import Facts, facts_of

__all__ = ["INCOMPLETE", "MALFORMED", "AtomReader", "atoms_of"]

Kind = Literal["user", "assistant", "tool", "summary", "system"]

#: Flaws of a protocol that was cut short, and of one that no writer should have made.
INCOMPLETE: Final = frozenset({"unanswered-call", "reply-error", "reply-aborted", "reply-deferred"})
MALFORMED: Final = frozenset(
    {
        "malformed-message",
        "orphan-result",
        "duplicate-result",
        "interrupted-call",
        "call-id-twice",
    }
)

_KINDS: Final[Mapping[str, Kind]] = {
    "assistant": "assistant",
    "toolResult": "tool",
    "system": "system",
    "branchSummary": "summary",
    "compactionSummary": "summary",
}
_ENDINGS: Final[Mapping[str, str]] = {
    "error": "reply-error",
    "aborted": "reply-aborted",
    "deferred": "reply-deferred",
}


class AtomReader:
    """Builds the atoms of a growing context; `atoms` is always what they are now."""

    def __init__(self) -> None:
        """Start with an empty context."""
        self.atoms: list[Atom] = []
        self.count: int = 0
        self._firsts: list[int] = []
        self._faults: list[str | None] = []
        self._pending: list[int] = []
        self._waiting: dict[str, list[int]] = {}
        self._answered: set[str] = set()

    def add(self, facts: Facts) -> int:
        """Take the next source; return the index of the first atom that changed."""
        index = self.count
        self.count += 1
        if facts.role == "toolResult":
            return self._result(index, facts)
        fault = "malformed-message" if facts.malformed else _ENDINGS.get(facts.stop or "")
        if not facts.calls:
            return self._open(index, _KINDS.get(facts.role, "user"), fault, 0)
        if len(set(facts.calls)) != len(facts.calls):
            fault = "call-id-twice"
        for call in facts.calls:
            self._waiting.setdefault(call, []).append(index)
        return self._open(index, "tool", fault, len(facts.calls))

    def _result(self, index: int, facts: Facts) -> int:
        """Put a result to its call's atom."""
        call = facts.answers
        fault = "malformed-message" if facts.malformed else None
        callers = self._waiting.get(call) if call else None
        if not call or not callers:
            stray = "duplicate-result" if call in self._answered else "orphan-result"
            last = self.atoms[-1] if self.atoms else None
            if last is None or last.kind != "tool":
                return self._open(index, "tool", fault or stray, 0)
            return self._close(len(self.atoms) - 1, index, fault or stray)
        caller = callers.pop()
        if not callers:
            del self._waiting[call]
        self._answered.add(call)
        at = bisect_right(self._firsts, caller) - 1
        self._pending[at] -= 1
        if at < len(self.atoms) - 1:
            fault = "interrupted-call"
        return self._close(at, index, fault)

    def _open(self, index: int, kind: Kind, fault: str | None, calls: int) -> int:
        number = len(self.atoms)
        flaw = fault or ("unanswered-call" if calls else None)
        self.atoms.append(Atom(number, index, index, kind, flaw))
        self._firsts.append(index)
        self._faults.append(fault)
        self._pending.append(calls)
        return number

    def _close(self, at: int, last: int, fault: str | None) -> int:
        """Let the atom at a place reach to a source, taking in the atoms behind it."""
        worst = self._faults[at]
        if fault is not None and worst not in MALFORMED:
            worst = fault
        calls = sum(self._pending[at:])
        first = self._firsts[at]
        del self.atoms[at:], self._firsts[at:], self._faults[at:], self._pending[at:]
        flaw = worst or ("unanswered-call" if calls else None)
        self.atoms.append(Atom(at, first, last, "tool", flaw))
        self._firsts.append(first)
        self._faults.append(worst)
        self._pending.append(calls)
        return at


def atoms_of(sources: Sequence[Source], facts: Iterable[Facts] | None = None) -> tuple[Atom, ...]:
    """Return the atoms of a context; `facts` where they are known already."""
    reader = AtomReader()
    for one in map(facts_of, sources) if facts is None else facts:
        reader.add(one)
    return tuple(reader.atoms)
