"""Looking at a repository: heads, references, the log, differences, the verdict.

Objects are given out only when their tag was verified, unless the repository was
opened without a key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import cso as state_objects
from cso import CognitiveStateObject, verify_chain, verify_events
from cso.audit import Event
from cso.errors import ChainError, UnknownIdError
from pcsf_lark.relay import access, refs
from pcsf_lark.relay.differences import differences
from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.relay.notes import notes_of
from pcsf_lark.relay.prompt import BUDGET, head_prompt
from pcsf_lark.relay.reports import LogLine, Verification
from pcsf_lark.relay.verdict import judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cso.keys import Key
    from cso.store import Entry, Store
    from pcsf_lark.relay.differences import Difference
    from pcsf_lark.relay.home import Home

__all__ = ["Reader"]


class Reader:
    """An open repository, as far as looking at it goes."""

    def __init__(self, place: Home, store: Store, key: Key | None) -> None:
        """Hold what ``Repository.open`` found."""
        self.home: Home = place
        self._store = store
        self._key = key
        self._heads: dict[str, CognitiveStateObject] = {}

    def __enter__(self) -> Self:
        """Give the repository itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def forget(self) -> None:
        """Let go of the head that was read last; it is read anew when it is needed."""
        self._heads = {}

    @property
    def branch(self) -> str:
        """The branch that verbs work on where none is named."""
        return self.home.branch

    def branches(self) -> dict[str, str]:
        """The branches, each with the tag of its head."""
        with access.reached(self.home.shown):
            return self._store.branches(self.home.session)

    def head(self, branch: str | None = None) -> CognitiveStateObject | None:
        """The object a branch ends in, its tag verified; None before the first push.

        Raises `cso.ChainError` for a tag that the key does not give, and
        `cso.UnknownIdError` for a branch that is not there.
        """
        tag = self._tag(branch)
        return None if tag is None else self._load(tag)

    def _tag(self, branch: str | None) -> str | None:
        """The tag a branch ends in, None before the first push."""
        name = branch or self.branch
        there = self.branches()
        if name not in there:
            if there or name != self.branch:
                known = ", ".join(there) or "none"
                raise UnknownIdError(f"no branch {name!r:.80}; there are {known}", at="branch")
            return None
        return there[name]

    def show(self, ref: str = "HEAD") -> CognitiveStateObject:
        """The object that a reference names, its tag verified."""
        return self._load(self.resolve(ref))

    def resolve(self, ref: str) -> str:
        """The tag that a reference names: a number, a tag's beginning, a branch, HEAD~N."""
        return refs.resolved(ref, self._entries(), self.branches(), self.branch, self._first_parent)

    def prompt(self, branch: str | None = None, *, budget: int = BUDGET) -> str:
        """The head as a prompt: data between marks; empty before the first push."""
        head = self.head(branch)
        if head is None:
            return ""
        notes = notes_of(head)
        place = f"Branch {branch or self.branch}, window {head.window_number}, {head.cso_hmac}."
        if self._key is None:
            place += " Its tag was not verified: no key was at hand."
        return head_prompt(head, notes.head if notes else "", place=place, budget=budget)

    def log(self, branch: str | None = None) -> tuple[LogLine, ...]:
        """The windows that a branch reaches, the newest first."""
        there = self.branches()
        name = branch or self.branch
        if name not in there:
            self.head(name)  # says what is wrong, if anything is
            return ()
        entries = self._entries()
        mine = refs.ancestors(entries, there[name])
        told = self._told()
        rows = (e for e in reversed(entries) if e.tag in mine)
        return tuple(_line(entry, told.get(entry.cso_id)) for entry in rows)

    def windows(self) -> int:
        """How many windows the session has, on all branches."""
        return len(self._entries())

    def diff(self, a: str, b: str = "HEAD") -> tuple[Difference, ...]:
        """What changed from one window to another."""
        return differences(self.show(a), self.show(b))

    def verify(self, branch: str | None = None, *, keys: Sequence[Key] = ()) -> Verification:
        """Judge one branch, or all, with the audit trail and the store.

        ``keys`` are further ones, where they were changed. A head capsule is sound if
        it is what its window and the one before lead to.
        """
        ring = [self._signer_key(), *keys]
        entries = self._entries()
        names = self.branches()
        if branch is not None:
            self.head_tag(branch)
        found = []
        for name, tag in names.items():
            if branch in (None, name):
                mine = refs.ancestors(entries, tag)
                rows = [entry for entry in entries if entry.tag in mine]
                found.append(judged(name, rows, self._read, ring, self.home.session))
        with access.reached(self.home.shown):
            events = verify_events(self._store.events(self.home.session), ring)
            damage = self._store.check()
        return Verification(branches=tuple(found), events=events, damage=damage)

    def head_tag(self, branch: str | None = None) -> str:
        """The tag of a branch's head; raises UnknownIdError where there is none."""
        return refs.resolved(
            branch or self.branch, self._entries(), self.branches(), self.branch, self._first_parent
        )

    def _entries(self) -> tuple[Entry, ...]:
        with access.reached(self.home.shown):
            return self._store.log(self.home.session)

    def _told(self) -> dict[str, Event]:
        with access.reached(self.home.shown):
            trail = self._store.events(self.home.session)
        pushes = (e for e in trail if isinstance(e, Event) and e.event_type == "STATE_PUSHED")
        return {event.window_id: event for event in pushes}

    def _read(self, tag: str) -> CognitiveStateObject:
        with access.reached(self.home.shown):
            return self._store.load(self.home.session, tag)

    def _load(self, tag: str) -> CognitiveStateObject:
        """An object whose tag was verified, unless the repository was opened keyless."""
        if tag in self._heads:
            return self._heads[tag]
        value = self._read(tag)
        if self._key is not None:
            anchor = value.prior_cso_hash or value.cso_id
            verdict = verify_chain([value], self._key, self.home.session, anchor=anchor)
            if verdict.status is state_objects.ChainStatus.BROKEN:
                what = f"{verdict.reason}: window {value.window_number} is not what was signed"
                raise ChainError(f"{what}, or was signed with another key", at=tag[:19])
        self._heads = {tag: value}
        return value

    def _first_parent(self, entry: Entry) -> str:
        notes = notes_of(self._read(entry.tag))
        return notes.base if notes and notes.base in entry.parents else entry.parents[0]

    def _signer_key(self) -> Key:
        if self._key is None:
            raise RepositoryError(self.home.shown, "opened without a key; nothing can be signed")
        return self._key


def _line(entry: Entry, event: Event | None) -> LogLine:
    data = event.data.thaw() if event is not None else {}
    return LogLine(
        window=entry.window_number,
        tag=entry.tag,
        parents=entry.parents,
        branches=entry.heads,
        kind=str(data.get("kind", "")),
        topic=str(data.get("topic", "")),
        when=event.timestamp if event is not None else "",
        **{name: int(data.get(name, 0)) for name in ("dropped", "withheld", "absent")},
    )
