"""Permits: one-use leave of the user, for a compaction or for a summary.

Laws: a permit is for one session, one leaf and one epoch; the native one fits only the hook
that carries its own request, so that a compaction the user calls for by the host's command
never gets it; the manual one is for the turn that was started with it.
"""

from typing import Final

from attrs import frozen

from kernel.projection.recovery.coordination import Situation
from kernel.text import head, repair

__all__ = ["Attempt", "ManualCompactPermit", "NativeOnlyCompactPermit", "text_of"]

_FOCUS: Final = 256
_ASK: Final = "Please make one aili_compact call for finished work of this conversation, then stop."


@frozen
class NativeOnlyCompactPermit:
    """Leave to skip our own plan in the one manual hook that carries this request."""

    request: str
    session_id: str
    leaf: str | None
    epoch: str

    def fits(self, now: Situation, reason: str, request: str | None) -> bool:
        """Tell the one hook this is for."""
        here = (now.session_id, now.leaf, now.epoch, reason, request)
        return here == (self.session_id, self.leaf, self.epoch, "manual", self.request)


@frozen
class ManualCompactPermit:
    """Leave for one summary in the turn that the user started for it."""

    request: str
    session_id: str
    leaf: str | None
    epoch: str
    focus: str = ""


@frozen
class Attempt:
    """The semantic attempt that was taken, with the user's permit if it was by one."""

    permit: ManualCompactPermit | None = None


def text_of(focus: str) -> tuple[str, str]:
    """Return a focus in one bounded line, and the message that asks for a summary."""
    wish = head(" ".join(repair(focus).split()), _FOCUS)
    return wish, f"{_ASK} Focus: {wish}" if wish else _ASK
