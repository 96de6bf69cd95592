"""Connections: SQLite embedded, PostgreSQL by URL, and what makes SQLite safe.

SQLite runs with a rollback journal and full syncs: committed pages are in the
database file itself, so a file that was cut is shorter than its header says. A
write-ahead log would lose its tail without a trace. New databases are built
aside and renamed, so an empty file is never a store that is just being made.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from attrs import frozen
from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, make_url, select
from sqlalchemy.exc import DBAPIError

from cso.errors import ConflictError, StoreDamagedError
from cso.store import schema
from cso.store.writing import busy

__all__ = ["Opened", "file_damage", "open_engine"]

# Long enough for a queue of writers that each sync a few times.
_BUSY_SECONDS = 60


@frozen
class Opened:
    """An engine, its file if there is one, and whether a journal lay beside it."""

    engine: Engine
    path: Path | None
    journal: bool


def open_engine(target: str | os.PathLike[str]) -> Opened:
    """Open a path (SQLite) or a URL, creating the tables if need be.

    Raises `StoreDamagedError` for a SQLite file that is empty or foreign; whether
    it was cut is for the caller to ask, under a lock (`file_damage`).
    """
    url = _url(target)
    if url.get_backend_name() != "sqlite":
        engine = create_engine(url)
        _create(engine)
        return Opened(engine, None, journal=False)
    if not url.database or url.database == ":memory:":
        engine = _sqlite(url)
        _create(engine)
        return Opened(engine, None, journal=False)
    path = Path(url.database)
    journal = Path(f"{path}-journal").exists()
    if not path.exists():
        if journal:
            what = f"{path}: a journal without its database; the database was removed"
            raise StoreDamagedError(what, at=str(path))
        _make_file(url, path)
    if path.stat().st_size == 0:
        raise StoreDamagedError("the file is empty; no store ever is", at=str(path))
    engine = _sqlite(url)
    try:
        found = _format(engine)
    except DBAPIError as error:
        engine.dispose()
        if busy(error):
            raise ConflictError("the store is busy; try again", code="busy") from error
        raise StoreDamagedError(f"unreadable: {error.__class__.__name__}", at=str(path)) from error
    if found is None:
        engine.dispose()
        raise StoreDamagedError("not a store, or its tables are gone", at=str(path))
    return Opened(engine, path, journal)


def _url(target: str | os.PathLike[str]) -> Any:
    text = os.fspath(target)
    if "://" not in text:
        return make_url("sqlite://").set(database=str(Path(text).absolute()))
    url = make_url(text)
    # The bare scheme means the driver that the extra installs.
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def _sqlite(url: Any) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def _configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin where `begin` says
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA trusted_schema = OFF")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        mode = connection.get_execution_options().get("cso_begin", "BEGIN")
        connection.exec_driver_sql(mode)

    return engine


def _create(engine: Engine) -> None:
    """Make the tables that are missing; several processes may try at once."""
    if inspect(engine).has_table(schema.stores.name) and _format(engine) is not None:
        return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7264)")
        schema.metadata.create_all(connection)
        if connection.scalar(select(schema.stores.c.format)) is None:
            connection.execute(insert(schema.stores).values(format=schema.FORMAT))


def _make_file(url: Any, path: Path) -> None:
    """Build a database beside its place and link it there, if nobody else has."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    os.close(handle)
    made = Path(name)
    try:
        engine = _sqlite(url.set(database=name))
        _create(engine)
        engine.dispose()
        made.chmod(0o644 & ~_umask())
        try:
            os.link(made, path)
        except FileExistsError:
            return  # another process made it first
    finally:
        made.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _format(engine: Engine) -> int | None:
    """Read the layout version; the first read also rolls a hot journal back."""
    if not inspect(engine).has_table(schema.stores.name):
        return None
    with engine.connect() as connection:
        return connection.scalar(select(schema.stores.c.format))


def file_damage(connection: Connection, path: Path) -> str:
    """Say whether a SQLite file is shorter than its header says; empty if not.

    To be asked inside a transaction. The file is not opened here: closing it again
    would drop the locks that this process holds on it.
    """
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    page = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
    size = path.stat().st_size
    return f"cut: {size} bytes of {pages * page}" if size < pages * page else ""
