"""The repository of state: what `pcsf relay` does, for programs.

    with Repository.open() as relay:
        done = relay.push(of_capsule(text))
        print(relay.prompt())

Every verb makes what it makes as a pure function of what is stored, and stores that
in one transaction or not at all.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve

import cso as state_objects
from cso import CognitiveStateObject
from cso.errors import ChainError, UnknownIdError
from pcsf_lark.relay import access, cleaning, home, opening, refs
from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.relay.looking import Reader
from pcsf_lark.relay.notes import notes_of
from pcsf_lark.relay.sealing import Signer, Window
from pcsf_lark.relay.window import changed, merged, pushed, succeeding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cso import Invalidation, Revision
    from pcsf_lark.relay.incoming import Incoming

__all__ = ["Repository"]


class Repository(Reader):
    """An open repository. Use it as a context manager, or call ``close``.

    Attributes:
        home: Where it is: folder, store, session and branch.
    """

    @classmethod
    def open(
        cls,
        start: str | os.PathLike[str] = ".",
        *,
        store: str | None = None,
        session: str | None = None,
        branch: str | None = None,
        environ: Mapping[str, str] | None = None,
        keyless: bool = False,
    ) -> Repository:
        """Open what ``store``, PCSF_RELAY or the nearest `.pcsf` above ``start`` names.

        ``keyless``: no tag is verified, nothing can be signed. Raises RepositoryError,
        and `cso.StoreDamagedError` for a store that lost data.
        """
        given = os.environ if environ is None else environ
        found = opening.found(Path(start), given, store=store, session=session, keyless=keyless)
        place = found.place if branch is None else evolve(found.place, branch=branch)
        return cls(place, found.store, found.key)

    @classmethod
    def init(
        cls,
        start: str | os.PathLike[str] = ".",
        *,
        store: str | None = None,
        session: str | None = None,
        branch: str = "main",
        environ: Mapping[str, str] | None = None,
    ) -> tuple[Repository, bool]:
        """Make `.pcsf` below ``start``, with key and store; whether it was not there yet.

        What is there stays as it is. Raises RepositoryError.
        """
        given = os.environ if environ is None else environ
        made = opening.made(Path(start), given, store=store, session=session, branch=branch)
        return cls(made.place, made.store, made.key), made.fresh

    def push(
        self,
        incoming: Incoming,
        *,
        branch: str | None = None,
        now: str | None = None,
        attempts: int = access.ATTEMPTS,
    ) -> Window:
        """Take a capsule, an object or what a log was drafted to into a branch.

        The window says what was dropped and withheld, or why nothing was to be done.
        Raises what refuses it, with nothing stored; ConflictError (code ``busy``) where
        others were first ``attempts`` times.
        """

        def make(head: CognitiveStateObject | None, signer: Signer) -> Window:
            if incoming.kind == "cso" and head is not None:
                known = succeeding(head, incoming, signer, self._entries(), self._load)
                if known is not None:
                    return known
            return pushed(head, incoming, signer)

        return self._landed(make, branch, now, attempts, "the push")

    def revise(
        self,
        target: str,
        choice: str,
        rationale: str = "",
        *,
        because: str,
        branch: str | None = None,
        now: str | None = None,
    ) -> tuple[Window, Revision]:
        """Supersede a decision or fact; an escalation is a result, and recorded."""
        done: list[Revision] = []

        def make(head: CognitiveStateObject, signer: Signer) -> Window:
            draft, report = state_objects.revise(head, target, choice, rationale, because=because)
            done[:] = [report]
            return changed(head, draft, "revision", signer)

        window = self._landed(_needing(make), branch, now, access.ATTEMPTS, "the revision")
        return window, done[0]

    def invalidate(
        self, target: str, reason: str, *, branch: str | None = None, now: str | None = None
    ) -> tuple[Window, Invalidation]:
        """Invalidate an item and mark what rests on it."""
        done: list[Invalidation] = []

        def make(head: CognitiveStateObject, signer: Signer) -> Window:
            draft, report = state_objects.invalidate(head, target, reason)
            done[:] = [report]
            return changed(head, draft, "invalidation", signer)

        window = self._landed(_needing(make), branch, now, access.ATTEMPTS, "the change")
        return window, done[0]

    def close_loop(
        self, text: str, ref: str = "", *, branch: str | None = None, now: str | None = None
    ) -> Window:
        """Take a finished task off the goal, or a question that was answered at ``ref``."""

        def make(head: CognitiveStateObject, signer: Signer) -> Window:
            if text in head.goal_state.remaining:
                draft = state_objects.advance(head, [text])
            else:
                draft = state_objects.answer(head, text, ref or "closed")
            return changed(head, draft, "closing", signer)

        return self._landed(_needing(make), branch, now, access.ATTEMPTS, "the change")

    def begin_branch(self, name: str, ref: str = "HEAD") -> str:
        """Begin a branch at a window; gives its tag.

        Raises ConflictError if it is there, RepositoryError for a name that is none.
        """
        if not home.is_name(name):
            what = "expected a name of letters, digits and . _ / -, not digits alone"
            raise RepositoryError(repr(name)[:80], what)
        tag = self.resolve(ref)
        with access.reached(self.home.shown):
            self._store.branch(self.home.session, name, tag)
        return tag

    def switch(self, name: str) -> None:
        """Make a branch the current one, for later calls too."""
        self.head_tag(name)
        self.home = home.switched(self.home, name)

    def merge(
        self,
        other: str,
        *,
        branch: str | None = None,
        prefer: str | None = None,
        now: str | None = None,
    ) -> Window:
        """Join another branch's state to a branch (fan-in).

        ``prefer`` is ``ours`` or ``theirs``: the side whose content holds where both
        changed one thing in different ways; without it that is a ConflictError.
        """

        def make(head: CognitiveStateObject, signer: Signer) -> Window:
            tag, entries = self.resolve(other), self._entries()
            if tag in refs.ancestors(entries, head.cso_hmac):
                notes = notes_of(head)
                if notes is None:
                    raise ChainError("no relay made the head", at="ext.relay")
                return Window(cso=head, notes=notes, unchanged="it is merged already")
            base = refs.base_of(entries, head.cso_hmac, tag)
            if base is None:
                raise ChainError("the two have no window in common", at=other)
            sides = (head, self._load(tag))
            if prefer == "theirs":
                sides = (sides[1], sides[0])
            first = head.cso_hmac
            return merged(*sides, self._load(base), signer, first=first, settle=prefer is not None)

        return self._landed(_needing(make), branch, now, access.ATTEMPTS, "the merge")

    def gc(self, *, dry_run: bool = False) -> tuple[cleaning.Leftover, ...]:
        """Remove what interrupted writes left; signed history is never touched."""
        return cleaning.swept(self.home, datetime.now(UTC).timestamp(), dry_run=dry_run)

    def _landed(
        self, make: Any, branch: str | None, now: str | None, attempts: int, what: str
    ) -> Window:
        """Make a window on the head and store it there, anew where another was first."""
        name, session = branch or self.branch, self.home.session
        key = self._signer_key()
        moment = now or datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ")
        signer = Signer(key=key, session=session, now=moment)

        def attempt() -> tuple[Window, Callable[[], None] | None]:
            tag = self._tag(name)  # the relay verifies it
            head = None if tag is None else self._heads.get(tag) or self._read(tag)
            window = make(head, signer)
            if window.unchanged:
                if tag is not None:
                    self._load(tag)  # what is told of a head is told of one that holds
                return window, None

            def store() -> None:
                with access.reached(self.home.shown):
                    self._store.append(
                        session, window.cso, branch=name, events=window.events, key=key
                    )

            return window, store

        with access.reached(self.home.shown), self._store.turn(session):
            window, number = access.retried(attempt, attempts, what)
        self._heads = {window.cso.cso_hmac: window.cso}
        landed: Window = evolve(window, attempts=number)
        return landed


def _needing(make: Any) -> Any:
    """A change that needs a head; raises UnknownIdError before the first push."""

    def made(head: CognitiveStateObject | None, signer: Signer) -> Window:
        if head is None:
            raise UnknownIdError("there is nothing yet; `pcsf relay push` begins", at="HEAD")
        window: Window = make(head, signer)
        return window

    return made
