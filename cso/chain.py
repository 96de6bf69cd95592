"""Is this chain whole? `verify_chain`: VALID, BROKEN, PARTIAL or UNVERIFIED (R18).

Order is by link, never by time. The first entry that fails is named by its index
and its window. A window number that was itself tampered with is named by the
number under which the tag still verifies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from attrs import frozen

from cso import codec, jcs
from cso.altered import altered
from cso.check import is_tag
from cso.decode import DEFAULT_LIMITS
from cso.errors import ContentError
from cso.keys import Key, KeyRing, candidates, key_ring
from cso.marks import crp
from cso.members import members_of
from cso.model import CognitiveStateObject
from cso.seal import message, parents_of

__all__ = ["ChainStatus", "Unreadable", "Verdict", "read_entries", "verify_chain"]


class ChainStatus(StrEnum):
    """What is known about a chain."""

    VALID = "VALID"
    BROKEN = "BROKEN"
    PARTIAL = "PARTIAL"
    UNVERIFIED = "UNVERIFIED"


@frozen
class Verdict:
    """The status; for BROKEN also where (list index, window) and why.

    Attributes:
        status: The answer.
        reason: Why it is BROKEN.
        index: Where, in the list given.
        broken_at_window: The window's number, where it is known.
    """

    status: ChainStatus
    reason: str = ""
    index: int | None = None
    broken_at_window: int | None = None


@frozen
class Unreadable:
    """An entry that is no object at all: it stands in the chain as broken.

    Attributes:
        reason: Why it could not be read.
        window: The window it claims to be, where that can be told.
    """

    reason: str
    window: int | None = None


@frozen
class _Fault:
    reason: str
    index: int
    window: int | None


Entry = CognitiveStateObject | Unreadable


def read_entries(documents: Iterable[bytes | str | Mapping[str, Any]]) -> tuple[Entry, ...]:
    """Read documents leniently; what cannot be read becomes `Unreadable`."""
    return tuple(_read(document) for document in documents)


def _read(document: bytes | str | Mapping[str, Any]) -> Entry:
    raw: Any = document
    try:
        if isinstance(document, (bytes, str)):
            raw = jcs.parse(document, max_bytes=DEFAULT_LIMITS.max_bytes)
        value = codec.from_members(raw, strict=False)
    except ContentError as error:
        window = raw.get("window_number") if isinstance(raw, Mapping) else None
        known = window if type(window) is int and window > 0 else None
        return Unreadable(f"bad syntax: {error}", known)
    # A member left out reads as its default; under a tag that is a change, too.
    if value.cso_hmac and members_of(value) != raw:
        return Unreadable("bad syntax: members are missing", value.window_number or None)
    return value


def verify_chain(
    chain: Sequence[Entry],
    keys: Key | bytes | Mapping[str, Key | bytes] | Iterable[Key | bytes],
    session: str,
    *,
    anchor: str | None = None,
) -> Verdict:
    """Judge a chain given from its oldest window to its newest.

    `anchor` is the tag (or for an import, the place) that the first entry is known
    to follow; with it, or with windows missing, an otherwise sound chain is
    PARTIAL. UNVERIFIED is an empty chain, or a lone genesis whose tag is right.
    """
    ring = key_ring(keys)
    walk = _Walk(chain, ring, session, anchor)
    for index in range(len(chain)):
        fault = walk.step(index)
        if fault is not None:
            return Verdict(ChainStatus.BROKEN, fault.reason, fault.index, fault.window)
    fork = walk.fork()
    if fork is not None:
        return Verdict(ChainStatus.BROKEN, fork.reason, fork.index, fork.window)
    if walk.partial:
        return Verdict(ChainStatus.PARTIAL, walk.partial)
    if len(chain) < 2:
        return Verdict(ChainStatus.UNVERIFIED, "nothing to link" if chain else "empty chain")
    return Verdict(ChainStatus.VALID)


class _Walk:
    """One pass over a chain; holds what earlier entries established."""

    def __init__(
        self, chain: Sequence[Entry], ring: KeyRing, session: str, anchor: str | None
    ) -> None:
        self.chain, self.ring, self.session, self.anchor = chain, ring, session, anchor
        self.windows: dict[str, int] = {}
        self.all_tags = {e.cso_hmac for e in chain if isinstance(e, CognitiveStateObject)}
        self.children: dict[str, list[int]] = {}
        self.last = 0
        self.partial = ""

    def step(self, index: int) -> _Fault | None:
        """Judge one entry: syntax, tag, then links."""
        entry = self.chain[index]
        if isinstance(entry, Unreadable):
            return _Fault(entry.reason, index, entry.window or self.last + 1)
        reason = self.syntax(entry) or self.tag(entry)
        if reason:
            return _Fault(reason, index, self.true_window(entry))
        reason = self.links(index, entry)
        if reason:
            return _Fault(reason, index, entry.window_number)
        self.note(index, entry)
        return None

    def syntax(self, entry: CognitiveStateObject) -> str:
        """Say what is wrong with the form of the links."""
        if not entry.cso_hmac:
            return "unsigned"
        parents = parents_of(entry)
        if not is_tag(entry.cso_hmac) or not all(map(is_tag, parents)):
            return "bad syntax: not a tag"
        if "parents" in crp(entry):
            ordered = len(parents) > 1 and list(parents) == sorted(set(parents))
            if not ordered or entry.prior_cso_hash != parents[0]:
                return "bad syntax: ext.crp.parents"
        if entry.window_number < 1:
            return "bad syntax: window 0 in a chain"
        return ""

    def tag(self, entry: CognitiveStateObject) -> str:
        """Say whether no key of the ring gives this tag."""
        return "" if self.fits(entry) else "tag mismatch"

    def fits(self, entry: CognitiveStateObject) -> bool:
        kid = crp(entry).get("kid", "")
        signed = message(entry, self.session)
        return any(key.matches(signed, entry.cso_hmac) for key in candidates(self.ring, str(kid)))

    def true_window(self, entry: CognitiveStateObject) -> int:
        """Find the number of an entry whose own number may be the lie."""
        if is_tag(entry.cso_hmac):
            for window in {1, self.last + 1} - {entry.window_number}:
                if self.fits(altered(entry, window_number=window)):
                    return window
        return entry.window_number or self.last + 1

    def links(self, index: int, entry: CognitiveStateObject) -> str:
        """Check the place among the entries before."""
        parents = parents_of(entry)
        known = [self.windows[parent] for parent in parents if parent in self.windows]
        if known and entry.window_number <= max(known):
            return "window not increasing"
        if any(parent in self.all_tags and parent not in self.windows for parent in parents):
            return "link mismatch: the parent comes later"
        if parents and len(known) == len(parents):
            return ""
        if index == 0 or known:
            return self.beginning(entry, parents)
        if not parents:
            return "link mismatch: a second genesis" if entry.window_number == 1 else "missing link"
        if entry.window_number <= self.last + 1:
            return "link mismatch"
        self.partial = self.partial or "windows are missing"
        return ""

    def beginning(self, entry: CognitiveStateObject, parents: tuple[str, ...]) -> str:
        """Check an entry whose parents are not all in the list."""
        if not parents:
            if entry.window_number > 1 and self.anchor is None:
                return "missing link"
            if entry.window_number > 1 or self.anchor:
                self.partial = "starts at an anchor"
            return ""
        if self.anchor and self.anchor not in parents and not self.windows:
            return "link mismatch: not the anchor"
        self.partial = self.partial or "starts after genesis"
        return ""

    def note(self, index: int, entry: CognitiveStateObject) -> None:
        """Remember a sound entry."""
        for parent in parents_of(entry):
            self.children.setdefault(parent, []).append(index)
        self.windows[entry.cso_hmac] = entry.window_number
        self.last = max(self.last, entry.window_number)

    def fork(self) -> _Fault | None:
        """Find a fork that no fan-in joins again, or one entry given twice."""
        if len(self.windows) < len(self.chain):
            return _Fault("fork: one entry twice", len(self.chain) - 1, self.last)
        for rows in self.children.values():
            if len(rows) > 1 and len(self.ends(rows)) > 1:
                entry = self.chain[rows[1]]
                window = getattr(entry, "window_number", None)
                what = "fork: two entries follow one, and nothing joins them"
                return _Fault(what, rows[1], window)
        return None

    def ends(self, rows: list[int]) -> set[int]:
        """Give the entries without successor that come after those given."""
        found, seen, queue = set[int](), set(rows), list(rows)
        while queue:
            index = queue.pop()
            after = self.children.get(getattr(self.chain[index], "cso_hmac", ""), [])
            if not after:
                found.add(index)
            queue.extend(row for row in after if row not in seen)
            seen.update(after)
        return found
