"""Is a branch whole? The chain, and that each head capsule follows from its window.

Windows are read one at a time, so that a long chain takes no more room than its
largest window; what cannot be read stands in the chain as broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from cso import ChainStatus, CognitiveStateObject, Verdict, verify_chain
from cso.chain import Unreadable
from cso.errors import CsoError
from cso.seal import parents_of
from pcsf_lark.api import parse
from pcsf_lark.errors import PcsfError
from pcsf_lark.relay.notes import notes_of
from pcsf_lark.relay.sealing import composed

if TYPE_CHECKING:
    from collections.abc import Callable

    from cso.keys import Key
    from cso.store import Entry
    from pcsf_lark.relay.notes import Notes

__all__ = ["BranchVerdict", "judged"]


@frozen
class BranchVerdict:
    """What is known of one branch; ``capsules`` of ``windows`` were made again alike.

    ``differing`` are the windows whose head capsule does not follow from them.
    """

    branch: str
    verdict: Verdict
    windows: int
    capsules: int
    differing: tuple[int, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return self.verdict.status is not ChainStatus.BROKEN and not self.differing


def judged(
    branch: str,
    entries: Sequence[Entry],
    load: Callable[[str], CognitiveStateObject],
    keys: Sequence[Key],
    session: str,
) -> BranchVerdict:
    """Judge the chain of ``entries``, parents before children; ``load`` reads one by its tag."""
    chain = _Chain(entries, load)
    verdict = verify_chain(chain, list(keys), session)
    differing = tuple(window for window, alike in chain.alike.values() if not alike)
    alike = sum(same for _, same in chain.alike.values())
    return BranchVerdict(branch, verdict, len(entries), alike, differing)


@define(eq=False)
class _Chain(Sequence[Any]):
    """Windows read when asked for; each head capsule is made again at its first reading."""

    entries: Sequence[Entry]
    load: Callable[[str], CognitiveStateObject]
    notes: dict[str, Notes | None] = field(factory=dict)
    alike: dict[str, tuple[int, bool]] = field(factory=dict)

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Any) -> Any:
        entry = self.entries[index]
        try:
            value = self.load(entry.tag)
        except CsoError as error:
            return Unreadable(f"bad syntax: {error}", entry.window_number)
        if entry.tag not in self.notes:
            self.notes[entry.tag] = notes_of(value)
            self.compare(value)
        return value

    def compare(self, value: CognitiveStateObject) -> None:
        """Make a window's head capsule again."""
        notes = self.notes.get(value.cso_hmac)
        if notes is None:
            return
        parents = [self.notes.get(tag) for tag in parents_of(value)]
        if None in parents:
            return  # made by something else than a relay: there is nothing to compare with
        heads = [one.head for one in parents if one is not None]
        if len(heads) > 1:
            # Of two head capsules the newer one was noted; where they are alike, either will do.
            heads = [text for text in heads if text != notes.capsule] or heads
        try:
            old = parse(heads[0]) if heads and heads[0] else None
            made = composed(old, notes, value)
        except PcsfError:
            made = None
        text = made.text if made is not None else ""
        self.alike[value.cso_hmac] = value.window_number, text == notes.head
