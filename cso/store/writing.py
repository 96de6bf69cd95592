"""The steps of a write; each runs inside one transaction that `writing` begins.

The session's row is locked first, so writers of a session go one by one on every
backend; the compare-and-set of the head decides who was first.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError, OperationalError

from cso.audit import EventDraft, dump_events, tagged
from cso.errors import ChainError, ConflictError, ContentError, KeyMaterialError
from cso.jcs import is_unicode
from cso.keys import Key
from cso.store import schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "busy",
    "known_parents",
    "locked",
    "move",
    "note",
    "signer_of",
    "storable",
    "writing",
]


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Begin a write transaction; commit at the end, or roll back and pass the error on."""
    with engine.connect().execution_options(cso_begin="BEGIN IMMEDIATE") as connection:
        try:
            with connection.begin():
                yield connection
        except OperationalError as error:
            if busy(error):
                raise ConflictError("the store is busy; try again", code="busy") from error
            raise


def busy(error: DBAPIError) -> bool:
    """Tell SQLite's refusal of a lock from failures whose outcome is not known."""
    return getattr(error.orig, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def storable(**texts: str) -> None:
    """Refuse names that not every database holds, before anything is written."""
    for at, value in texts.items():
        if "\0" in value or not is_unicode(value):
            raise ContentError("a name in a store has no NUL and no lone surrogate", at=at)


def signer_of(key: Key | bytes | None, events: Sequence[EventDraft]) -> Key | None:
    """Give the key that tags events; raise `KeyMaterialError` if one is needed."""
    if key is None:
        if events:
            raise KeyMaterialError("audit events need a key")
        return None
    return key if isinstance(key, Key) else Key(key)


def locked(connection: Connection, session: str) -> int:
    """Lock a session, making its row if need be; give the number of its objects."""
    table = schema.sessions
    row = {"session": session, "objects": 0, "events": 0, "last_event": ""}
    if connection.dialect.name == "postgresql":
        # It brings asyncio along, which SQLite's users need not wait for.
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        connection.execute(postgresql.insert(table).values(**row).on_conflict_do_nothing())
    else:
        connection.execute(sqlite.insert(table).values(**row).on_conflict_do_nothing())
    wanted = select(table.c.objects).where(table.c.session == session).with_for_update()
    return int(connection.scalar(wanted) or 0)


def known_parents(
    connection: Connection, session: str, parents: Sequence[str], *, first: bool
) -> None:
    """Refuse an object whose parents are not stored, and a second beginning."""
    if not parents:
        if not first:
            raise ConflictError("the session has begun already", at=session)
        return
    table = schema.objects
    wanted = select(func.count()).where(table.c.session == session, table.c.tag.in_(parents))
    if connection.scalar(wanted) != len(set(parents)):
        raise ChainError("a parent is not stored", at=session, code="missing-parent")


def move(
    connection: Connection, session: str, branch: str, parents: Sequence[str] | None, tag: str
) -> None:
    """Move a branch's head from one of `parents` to `tag`; None begins a branch."""
    table = schema.heads
    mine = (table.c.session == session) & (table.c.branch == branch)
    if parents is not None:
        moved = update(table).where(mine & table.c.tag.in_(parents)).values(tag=tag)
        if connection.execute(moved).rowcount == 1:
            return
    there = connection.scalar(select(table.c.tag).where(mine))
    if there is not None:
        what = (
            f"branch {branch!r:.80} is at {there}" if parents is not None else "it exists already"
        )
        raise ConflictError(what, at=branch)
    connection.execute(insert(table).values(session=session, branch=branch, tag=tag))


def note(
    connection: Connection,
    session: str,
    *,
    objects: int,
    events: Sequence[EventDraft],
    signer: Key | None,
) -> None:
    """Append events to the trail and write the new counts down."""
    table = schema.sessions
    mine = table.c.session == session
    state = connection.execute(select(table.c.events, table.c.last_event).where(mine)).one()
    seq, last = state.events, state.last_event
    for draft in events:
        if signer is None:  # refused before the transaction began
            break
        event = tagged(draft, signer, seq + 1, last)
        seq, last = event.seq, event.hmac
        line = dump_events((event,))
        connection.execute(insert(schema.events).values(session=session, seq=seq, line=line))
    counted = {"objects": table.c.objects + objects, "events": seq, "last_event": last}
    connection.execute(update(table).where(mine).values(**counted))
