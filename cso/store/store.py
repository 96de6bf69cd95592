"""The store itself: append, branches, the reachable set, the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from cso.audit import Event, EventDraft, load_events
from cso.check import is_tag
from cso.errors import ChainError, ConflictError, Finding, StoreDamagedError, UnknownIdError
from cso.seal import parents_of
from cso.store import check, schema
from cso.store.engine import file_damage, open_engine
from cso.store.rows import Entry, object_of, row_of
from cso.store.turns import turn
from cso.store.writing import busy, known_parents, locked, move, note, signer_of, storable, writing

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from cso.keys import Key
    from cso.model import CognitiveStateObject

__all__ = ["Store"]


class Store:
    """An open store: a path (SQLite) or a database URL. Use as a context manager."""

    def __init__(self, target: str | os.PathLike[str]) -> None:
        """Open, or create if there is nothing; raise `StoreDamagedError`.

        A quick look is taken every time, a full one (`check`) where a journal
        tells of an interrupted write.
        """
        opened = open_engine(target)
        self._engine, self._path = opened.engine, opened.path
        try:
            found = self.check(full=opened.journal)
        except DBAPIError as error:
            self.close()
            if busy(error):
                raise ConflictError("the store is busy; try again", code="busy") from error
            if opened.path is None:
                raise  # a server that cannot be reached is no damage
            what = f"unreadable: {error.__class__.__name__}"
            raise StoreDamagedError(what, at=str(opened.path)) from error
        if found:
            self.close()
            what = f"{found[0]}" + (f" (and {len(found) - 1} more)" if len(found) > 1 else "")
            raise StoreDamagedError(what, at=str(opened.path), findings=found)

    def __enter__(self) -> Self:
        """Give the store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()

    def check(self, *, full: bool = True) -> tuple[Finding, ...]:
        """List the damage: empty for a whole store. Not `full`, counts only."""
        with self._snapshot() as connection:
            # This read locks the file: no writer is half-way through it below.
            connection.execute(select(schema.stores)).all()
            damage = file_damage(connection, self._path) if self._path else ""
            if damage:
                return (Finding("pages", str(self._path), damage),)
            return tuple(check.full(connection) if full else check.counts(connection))

    def _snapshot(self) -> Connection:
        """Connect so that several reads see one state; SQLite's transactions do anyway."""
        connection = self._engine.connect()
        if self._engine.dialect.name == "postgresql":
            return connection.execution_options(isolation_level="REPEATABLE READ")
        return connection

    def append(
        self,
        session: str,
        cso: CognitiveStateObject,
        *,
        branch: str = "main",
        events: Sequence[EventDraft] = (),
        key: Key | bytes | None = None,
    ) -> None:
        """Add a signed object to a branch and move its head, with audit events.

        The head must be the object's parent (one of them, for a fan-in, and the
        others stored). A branch that is new begins at stored parents, or with a
        session's first object. `key` tags the events. Raises `ConflictError`
        (code `conflict`: another writer was first; `busy`: no lock in time), and
        `ChainError` for an unsigned object, `ContentError` for a name that no store
        holds; then nothing was kept.
        """
        if not is_tag(cso.cso_hmac):
            raise ChainError("only signed objects are stored", at="cso_hmac")
        storable(session=session, branch=branch, cso_id=cso.cso_id)
        signer, parents, row = signer_of(key, events), parents_of(cso), row_of(session, cso)
        with writing(self._engine) as connection:
            position = locked(connection, session)
            known_parents(connection, session, parents, first=position == 0)
            try:
                connection.execute(insert(schema.objects).values(**row, position=position + 1))
            except IntegrityError:
                raise ConflictError("stored already", at=cso.cso_hmac) from None
            links = [
                {"session": session, "child": cso.cso_hmac, "parent": parent} for parent in parents
            ]
            if links:
                connection.execute(insert(schema.parents), links)
            move(connection, session, branch, parents, cso.cso_hmac)
            note(connection, session, objects=1, events=events, signer=signer)

    def record(self, session: str, events: Sequence[EventDraft], key: Key | bytes) -> None:
        """Add audit events alone."""
        storable(session=session)
        signer = signer_of(key, events)
        with writing(self._engine) as connection:
            locked(connection, session)
            note(connection, session, objects=0, events=events, signer=signer)

    def branch(self, session: str, name: str, at: str) -> None:
        """Begin a branch at a stored object; raise `ConflictError` if it exists."""
        storable(session=session, branch=name)
        with writing(self._engine) as connection:
            locked(connection, session)
            known_parents(connection, session, (at,), first=False)
            move(connection, session, name, None, at)

    def turn(self, session: str) -> AbstractContextManager[None]:
        """Hold the turn among a session's writers: a courtesy, see `cso.store.turns`."""
        return turn(self._engine, self._path, session)

    def sessions(self) -> tuple[str, ...]:
        """List the sessions that have anything."""
        statement = select(schema.sessions.c.session).order_by(schema.sessions.c.session)
        with self._engine.connect() as connection:
            return tuple(connection.scalars(statement))

    def branches(self, session: str) -> dict[str, str]:
        """Map the branches of a session to their heads' tags."""
        table = schema.heads
        statement = select(table.c.branch, table.c.tag).where(table.c.session == session)
        with self._engine.connect() as connection:
            rows = connection.execute(statement.order_by(table.c.branch)).all()
        return {row.branch: row.tag for row in rows}

    def head(self, session: str, branch: str = "main") -> CognitiveStateObject | None:
        """Give the object a branch ends in; None for a branch that is not there."""
        tag = self.branches(session).get(branch)
        return None if tag is None else self.load(session, tag)

    def load(self, session: str, tag: str) -> CognitiveStateObject:
        """Give one object; raise `UnknownIdError`, or `StoreDamagedError`."""
        table = schema.objects
        wanted = select(table).where(table.c.session == session, table.c.tag == tag)
        with self._engine.connect() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            raise UnknownIdError(f"no object {tag!r:.80} in session {session!r:.80}", at=tag)
        return object_of(row)

    def chain(self, session: str, branch: str = "main") -> tuple[CognitiveStateObject, ...]:
        """Give all that a branch's head reaches, parents before children."""
        tag = self.branches(session).get(branch)
        return () if tag is None else self.reachable(session, tag)

    def reachable(self, session: str, tag: str) -> tuple[CognitiveStateObject, ...]:
        """Give an object and all its ancestors, parents before children.

        Raises `UnknownIdError` for a tag that is not there, `StoreDamagedError` for a row
        that cannot be read.
        """
        table, links = schema.objects, schema.parents
        start = select(table.c.tag).where(table.c.session == session, table.c.tag == tag)
        reached = start.cte("reached", recursive=True)
        step = select(links.c.parent).join(reached, links.c.child == reached.c.tag)
        reached = reached.union(step.where(links.c.session == session))
        wanted = (
            select(table)
            .where(table.c.session == session, table.c.tag.in_(select(reached.c.tag)))
            .order_by(table.c.position)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(wanted).all()
        if not rows:
            raise UnknownIdError(f"no object {tag!r:.80} in session {session!r:.80}", at=tag)
        return tuple(object_of(row) for row in rows)

    def log(self, session: str) -> tuple[Entry, ...]:
        """List a session's objects in the order they were added, without bodies."""
        table, links = schema.objects, schema.parents
        heads: dict[str, list[str]] = {}
        for name, tag in self.branches(session).items():
            heads.setdefault(tag, []).append(name)
        columns = (table.c.position, table.c.window_number, table.c.cso_id, table.c.tag)
        wanted = select(*columns).where(table.c.session == session).order_by(table.c.position)
        linked = select(links.c.child, links.c.parent).where(links.c.session == session)
        parents: dict[str, list[str]] = {}
        with self._engine.connect() as connection:
            rows = connection.execute(wanted).all()
            for child, parent in connection.execute(linked):
                parents.setdefault(child, []).append(parent)
        return tuple(
            Entry(*row, tuple(sorted(parents.get(row.tag, ()))), tuple(heads.get(row.tag, ())))
            for row in rows
        )

    def events(self, session: str) -> tuple[Event | str, ...]:
        """Give the audit trail of a session, for `verify_events`."""
        table = schema.events
        wanted = select(table.c.line).where(table.c.session == session).order_by(table.c.seq)
        with self._engine.connect() as connection:
            return load_events(b"".join(connection.scalars(wanted)))
