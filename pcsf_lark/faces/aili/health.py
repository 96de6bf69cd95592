"""How everything stands on a branch, as far as a shell can prove it; and the one mending.

    health(now)           the doctor's report, the index built and held against the oracle
    mended(now)           permitted repairs appended, and the log opened again

Law: a report writes nothing; a repair appends evidence and nothing else.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.projection.activation import activate
from kernel.projection.doctor import Evidence, doctor
from kernel.projection.index import Indexes
from kernel.projection.log.storage import appender
from pcsf_lark.faces.aili.log import opened, read

if TYPE_CHECKING:
    from pcsf_lark.faces.aili.log import Opened

__all__ = ["health", "mended"]


def health(now: Opened) -> dict[str, Any]:
    """The report of the branch; what lives in the agent alone is Unverified."""
    snapshot, path = now.snapshot, now.given.path
    indexes = Indexes()
    indexes.snapshot(snapshot.tree, snapshot.leaf, snapshot.config, path=path)
    return doctor(snapshot, Evidence(indexes, path, settings=now.notes))


def mended(now: Opened) -> Opened:
    """Bring back what a collection by age switched off, where evidence permits it.

    Raises OSError where the log takes no entry.
    """
    given = now.given
    put = appender(Path(given.path), lambda: datetime.now(UTC))
    activate(lambda: read(given.path), put, now.snapshot.config, leaf=given.leaf)
    return opened(given)
