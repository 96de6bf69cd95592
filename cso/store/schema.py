"""The tables. Rows of `objects`, `parents` and `events` are only ever added."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
)

__all__ = ["FORMAT", "events", "heads", "metadata", "objects", "parents", "sessions", "stores"]

FORMAT = 1
"""Version of this layout, kept in `stores`."""

metadata = MetaData()

stores = Table("cso_store", metadata, Column("format", BigInteger, primary_key=True))

# How many objects and events a session has: written with each, so that a page
# of rows that got lost is noticed. The row is also the session's lock.
sessions = Table(
    "cso_session",
    metadata,
    Column("session", String, primary_key=True),
    Column("objects", BigInteger, nullable=False),
    Column("events", BigInteger, nullable=False),
    Column("last_event", String, nullable=False),
)

# `position` counts from 1 within a session; parents stand before their children.
objects = Table(
    "cso_object",
    metadata,
    Column("session", String, primary_key=True),
    Column("tag", String, primary_key=True),
    Column("position", BigInteger, nullable=False),
    Column("window_number", BigInteger, nullable=False),
    Column("cso_id", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("body", LargeBinary, nullable=False),
    ForeignKeyConstraint(["session"], ["cso_session.session"]),
    Index("cso_object_position", "session", "position", unique=True),
)

parents = Table(
    "cso_parent",
    metadata,
    Column("session", String, primary_key=True),
    Column("child", String, primary_key=True),
    Column("parent", String, primary_key=True),
    ForeignKeyConstraint(["session", "child"], ["cso_object.session", "cso_object.tag"]),
    ForeignKeyConstraint(["session", "parent"], ["cso_object.session", "cso_object.tag"]),
)

# The only rows that move, and only by compare-and-set.
heads = Table(
    "cso_head",
    metadata,
    Column("session", String, primary_key=True),
    Column("branch", String, primary_key=True),
    Column("tag", String, nullable=False),
    ForeignKeyConstraint(["session", "tag"], ["cso_object.session", "cso_object.tag"]),
)

events = Table(
    "cso_event",
    metadata,
    Column("session", String, primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("line", LargeBinary, nullable=False),
    ForeignKeyConstraint(["session"], ["cso_session.session"]),
)
