"""Storage of chains and audit logs, for many writers and sudden ends.

Objects and events are only ever added. A branch names a head, and a head moves
by compare-and-set: an append whose parent is no longer the head is a
`ConflictError`, and nothing of it is kept. An append is one transaction; when
it returns, it is on disk. A file that lost committed data is told as
`StoreDamagedError`, never read as a shorter chain.

Needs the extra `store`; PostgreSQL needs the extra `postgres`.
"""

from __future__ import annotations

try:
    import sqlalchemy as _sqlalchemy
except ImportError as error:  # pragma: no cover - the extra is part of the test group
    raise ImportError("cso.store needs: pip install 'pcsf-lark[store]'") from error

from cso.store.rows import Entry
from cso.store.store import Store

__all__ = ["Entry", "Store"]

del _sqlalchemy
