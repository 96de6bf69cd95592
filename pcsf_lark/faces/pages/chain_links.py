"""The links of a chain: each window's place in it, and what is known of whether it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

import cso
from cso.seal import parents_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Entry", "Judgement", "Link", "linked", "links_of"]

#: What an entry of a chain may be.
Entry = cso.CognitiveStateObject | cso.Unreadable


@frozen(kw_only=True)
class Link:
    """A window's place in a chain, and what a relay has on record of it."""

    number: int | None
    tag: str
    parents: tuple[str, ...]
    heads: tuple[str, ...] = ()
    kind: str = ""
    topic: str = ""
    when: str = ""
    lost: tuple[tuple[str, int], ...] = ()


@frozen(kw_only=True)
class Judgement:
    """What is known of a branch: the windows it is of, by index, and where it breaks.

    ``checked``: the tags were verified, not the links alone. ``notes`` are further faults.
    ``at`` names the window where it breaks, for people; a view fills it in.
    """

    branch: str = ""
    status: str
    checked: bool
    reason: str = ""
    broken: int | None = None
    members: frozenset[int] | None = None
    notes: tuple[str, ...] = ()
    at: str = ""


def links_of(entries: Sequence[Entry]) -> tuple[Link, ...]:
    """The places of entries that were read from a file."""
    return tuple(
        Link(number=entry.window, tag="", parents=())
        if isinstance(entry, cso.Unreadable)
        else Link(number=entry.window_number, tag=entry.cso_hmac, parents=parents_of(entry))
        for entry in entries
    )


def linked(entries: Sequence[Entry]) -> Judgement:
    """What can be told of a chain without a key: whether each entry names one before it."""
    known: set[str] = set()
    for index, entry in enumerate(entries):
        reason = ""
        if isinstance(entry, cso.Unreadable):
            reason = entry.reason
        elif not entry.cso_hmac:
            reason = "unsigned"
        elif index and not set(parents_of(entry)) <= known:
            reason = "it follows a window that is not before it"
        elif index and not parents_of(entry):
            reason = "it follows nothing"
        if reason:
            return Judgement(status="BROKEN", checked=False, reason=reason, broken=index)
        known.add(getattr(entry, "cso_hmac", ""))
    return Judgement(status="UNVERIFIED", checked=False, reason="no key was given")
