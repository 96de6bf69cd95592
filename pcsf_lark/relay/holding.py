"""What of a head capsule no longer holds, by what the object says today.

Only evidence counts: an item that was superseded or invalidated, a question that
was answered, a task that was recorded as done. A line the object does not know
stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from cso import RecordKind, Status
from cso.lineage import head
from cso.model import says
from cso.tokens import LIVE
from pcsf_lark.passes.cso_text import escaped
from pcsf_lark.passes.to_cso import RULED_OUT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cso import CognitiveStateObject
    from cso.model import Item
    from pcsf_lark.model import Entry

__all__ = ["Standing", "Verdict", "is_same", "is_short_for"]

_MARK = "..."
_LEAST = 24
_STOPS = " .!;,"
#: For each layer, which field of an entry names its item.
_NAMING = {"L1": "fact", "L2": "option", "L3": "content", "L4": "state", "L5": "description"}
_WAITING = {
    Status.NEEDS_REVISION: "needs revision",
    Status.STALE: "stale",
    Status.ESCALATED: "awaits a human",
}


@frozen
class Verdict:
    """Why a line leaves, and the doubt that takes its place; false where it stays."""

    reason: str = ""
    doubt: str = ""

    def __bool__(self) -> bool:
        return bool(self.reason)


_STAYS = Verdict()


def is_same(shown: str, whole: str) -> bool:
    """Tell whether two texts say the same: a line of a capsule may lack the final stop."""
    return shown == whole or shown.rstrip(_STOPS) == whole.rstrip(_STOPS) != ""


def is_short_for(shown: str, whole: str) -> bool:
    """Tell whether a text is the beginning of another one, trimmed at a word."""
    if is_same(shown, whole):
        return True
    start = shown.removesuffix(_MARK).rstrip(" .")
    return len(start) >= _LEAST and len(start) < len(whole) and whole.startswith(start)


@frozen
class Standing:
    """The texts that ended or wait, each as a capsule would have it, with the reason.

    Those of `ruled_out` are options of decisions against one (L2): that a choice was
    superseded is no reason to forget that it was.
    """

    ended: Mapping[str, str] = field(factory=dict)
    waiting: Mapping[str, str] = field(factory=dict)
    ruled_out: Mapping[str, str] = field(factory=dict)
    closed: Mapping[str, str] = field(factory=dict)

    @property
    def quiet(self) -> bool:
        """Whether nothing ended and nothing waits."""
        return not (self.ended or self.waiting or self.ruled_out or self.closed)

    @classmethod
    def of(cls, state: CognitiveStateObject) -> Standing:
        """Read an object."""
        ended: dict[str, str] = {}
        waiting: dict[str, str] = {}
        ruled_out: dict[str, str] = {}
        rows = (state.established_facts, state.decisions)
        doubtful = [item for row in rows for item in row if item.status is not Status.VALID]
        if doubtful:
            items = state.items()
            plain = {says(item) for item in items.values() if item.status is Status.VALID}
            for item in doubtful:
                said = says(item)
                if said in plain:
                    continue
                waits = item.status in LIVE or item.status is Status.ESCALATED
                if said.startswith(RULED_OUT):
                    # A doubtful warning still warns.
                    if not waits:
                        ruled_out[escaped(said.removeprefix(RULED_OUT))] = _ending(item, items)
                elif waits:
                    waiting[escaped(said)] = _WAITING[item.status]
                else:
                    ended[escaped(said)] = _ending(item, items)
        return cls(ended, waiting, ruled_out, _closed(state))

    def without(self, lost: Mapping[str, str]) -> Standing:
        """The same, some more texts having ended."""
        options = {text.removeprefix(RULED_OUT): why for text, why in lost.items()}
        return evolve(
            self,
            ended={**self.ended, **{escaped(text): why for text, why in lost.items()}},
            ruled_out={
                **self.ruled_out,
                **{escaped(text): why for text, why in options.items() if text not in lost},
            },
        )

    def judge(self, layer: str, entry: Entry) -> Verdict:
        """Say whether a line of the capsule still holds."""
        text = str(getattr(entry, _NAMING[layer]))
        if (reason := _find(self.closed, text)) and layer in ("L3", "L5"):
            return Verdict(reason)
        if layer in ("L2", "L5"):
            reason = _find(self.ruled_out, text) if layer == "L2" else ""
            return Verdict(reason) if reason else _STAYS
        if reason := _find(self.ended, text):
            return Verdict(reason)
        # A constraint that became doubtful binds until someone lifts it.
        bound = getattr(entry, "type", "") == "CONSTRAINT"
        if layer == "L1" and not bound and (reason := _find(self.waiting, text)):
            return Verdict(reason, f"{reason}: {text}")
        return _STAYS


def _ending(item: Item, items: Mapping[str, Item]) -> str:
    stands = head(items, item.id)
    if stands != item.id:
        return f"superseded by {stands}"
    return item.status.value.lower()


def _closed(state: CognitiveStateObject) -> dict[str, str]:
    """Questions answered and tasks done that are not open again."""
    open_ = {*state.open_questions, *state.goal_state.remaining}
    found = {
        escaped(entry.question): f"answered: {entry.answer_ref}"
        for entry in state.resolved_questions
        if entry.question not in open_
    }
    for record in state.revisions:
        if record.kind is RecordKind.ADVANCE:
            done = (text for text in record.affected if text not in open_)
            found.update((escaped(text), "done") for text in done)
    return found


def _find(texts: Mapping[str, str], text: str) -> str:
    """The reason for a text, or for the one that it is a trimmed form of."""
    for said in (text, f"{text}."):
        if said in texts:
            return texts[said]
    trimmed = (reason for whole, reason in texts.items() if is_short_for(text, whole))
    return next(trimmed, "") if text.endswith(_MARK) else ""
