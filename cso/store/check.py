"""Is the store whole? Every row is compared with what the others say of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from cso import codec, jcs
from cso.errors import ContentError, Finding
from cso.seal import parents_of
from cso.store import schema

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["counts", "full"]


def counts(connection: Connection) -> Iterator[Finding]:
    """Compare the number of rows with the number written down: quick."""
    for name, table in (("objects", schema.objects), ("events", schema.events)):
        rows = connection.execute(
            select(table.c.session, func.count()).group_by(table.c.session)
        ).all()
        there = {row[0]: row[1] for row in rows}
        known = select(schema.sessions.c.session, schema.sessions.c[name])
        noted = {row[0]: row[1] for row in connection.execute(known).all()}
        for session in sorted(noted.keys() | there.keys()):
            have, want = there.get(session, 0), noted.get(session, 0)
            if have != want:
                yield Finding("count", f"session {session}", f"{have} {name} of {want}")


def full(connection: Connection) -> Iterator[Finding]:
    """Check pages, counts, bodies, links, heads and events."""
    if connection.dialect.name == "sqlite":
        for (line,) in connection.exec_driver_sql("PRAGMA integrity_check").all():
            if line != "ok":
                yield Finding("pages", "database", str(line))
    yield from counts(connection)
    yield from _objects(connection)
    yield from _events(connection)


def _objects(connection: Connection) -> Iterator[Finding]:
    """Bodies that are not what was written, missing parents, objects no head reaches."""
    links: dict[tuple[str, str], set[str]] = {}
    for row in connection.execute(select(schema.parents)).all():
        links.setdefault((row.session, row.child), set()).add(row.parent)
    known: dict[tuple[str, str], int] = {}
    last: Counter[str] = Counter()
    order = schema.objects.c.session, schema.objects.c.position
    rows = connection.execute(
        select(schema.objects).order_by(*order).execution_options(yield_per=100)
    )
    for row in rows:
        at = f"session {row.session}, object {row.tag}"
        last[row.session] += 1
        if row.position != last[row.session]:
            yield Finding("position", at, f"is {row.position}, expected {last[row.session]}")
        claimed = _parents(row.tag, row.digest, row.body)
        if claimed is None:
            yield Finding("body", at, "is not what was written")
        elif claimed != links.get((row.session, row.tag), set()):
            yield Finding("parents", at, "its parents are not those it names")
        elif any((row.session, parent) not in known for parent in claimed):
            yield Finding("parents", at, "a parent is missing")
        known[row.session, row.tag] = row.position
    yield from _heads(connection, known, links)


def _parents(tag: str, digest: str, body: bytes) -> set[str] | None:
    """Read the parents out of a body; None if the body is damaged."""
    if jcs.digest(body) != digest:
        return None
    try:
        value = codec.loads(body, strict=False)
    except ContentError:
        return None
    return set(parents_of(value)) if value.cso_hmac == tag else None


def _heads(
    connection: Connection,
    known: dict[tuple[str, str], int],
    links: dict[tuple[str, str], set[str]],
) -> Iterator[Finding]:
    queue: list[tuple[str, str]] = []
    for row in connection.execute(select(schema.heads)).all():
        queue.append((row.session, row.tag))
        if (row.session, row.tag) not in known:
            at = f"session {row.session}, branch {row.branch}"
            yield Finding("head", at, f"its head {row.tag} is missing")
    reached = set(queue)
    while queue:
        session, tag = queue.pop()
        for parent in links.get((session, tag), ()):
            if (session, parent) not in reached:
                reached.add((session, parent))
                queue.append((session, parent))
    for session, tag in known.keys() - reached:
        yield Finding("head", f"session {session}, object {tag}", "no branch reaches it")


def _events(connection: Connection) -> Iterator[Finding]:
    last: Counter[str] = Counter()
    order = schema.events.c.session, schema.events.c.seq
    for row in connection.execute(select(schema.events).order_by(*order)):
        last[row.session] += 1
        at = f"session {row.session}, event {row.seq}"
        if row.seq != last[row.session]:
            yield Finding("event", at, f"expected {last[row.session]}")
        try:
            if jcs.parse(row.line)["seq"] != row.seq:
                yield Finding("event", at, "is another one")
        except (ContentError, KeyError, TypeError):
            yield Finding("event", at, "is unreadable")
