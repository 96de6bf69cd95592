"""The branches of a store that is a file, at a glance: for a shell that waits at a key press.

Law: nothing is written, verified or waited for. `Repository` is the way to everything
else; it brings a database toolkit that alone takes longer than a key press may.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.relay.home import found

__all__ = ["branches"]

_WAIT = 0.05
#: As `cso.store.schema` has it; a test holds it to what a `Repository` says.
_QUERY = "SELECT branch, tag FROM cso_head WHERE ? IN ('', session) ORDER BY branch"


def branches(store: str | None = None, session: str | None = None) -> dict[str, str]:
    """Each branch, and the tag of its head; empty where there is none to be seen."""
    try:
        home = found(Path(), store, os.environ, session)
    except RepositoryError:
        return {}
    if "://" in home.store:
        return {}
    place = Path(home.store).absolute().as_uri() + "?mode=ro"
    try:
        connection = sqlite3.connect(place, uri=True, timeout=_WAIT)
        try:
            return dict(connection.execute(_QUERY, (home.session,)).fetchall())
        finally:
            connection.close()
    except sqlite3.Error:
        return {}
