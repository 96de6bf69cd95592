"""URLs of stores, as they may be written down and shown: without what is secret in them."""

from __future__ import annotations

import re
from pathlib import Path

from pcsf_lark.relay.errors import RepositoryError

__all__ = ["bare", "placed", "shown"]

#: Members of a URL's query that are secrets.
_SECRET = re.compile(r"pass(?!file)|pwd|secret|token|credential|(?:^|api[_-]?)key$", re.IGNORECASE)


def bare(url: str) -> str:
    """A database's URL without its password and other secrets.

    Raises RepositoryError for one of which nobody can tell where the password ends.
    """
    try:
        from sqlalchemy import URL, make_url  # noqa: PLC0415 - for a URL alone
        from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 - likewise
    except ImportError:
        raise RepositoryError(
            "the store", "a URL needs the extra: pip install 'pcsf-lark[store]'"
        ) from None
    scheme = url.partition("://")[0]
    try:
        found = make_url(url)
    except (ArgumentError, ValueError):
        raise RepositoryError(f"{scheme}://...", "is no URL of a database") from None
    if any("@" in part for part in (found.host or "", found.database or "", found.drivername)):
        what = "where does its password end? write @ in it as %40, / as %2F and : as %3A"
        raise RepositoryError(f"{scheme}://...", what)
    query = {name: value for name, value in found.query.items() if not _SECRET.search(name)}
    lighter = URL.create(
        found.drivername, found.username, None, found.host, found.port, found.database, query
    )
    return lighter.render_as_string(hide_password=False)


def placed(store: str) -> str:
    """A store as it is named from everywhere: a URL, or a path from the root."""
    if "://" in store:
        bare(store)
        return store
    if re.search(r":.*@", store):
        raise RepositoryError("the store", "a URL begins with its scheme, as postgresql://")
    return str(Path(store).absolute())


def shown(store: str) -> str:
    """A store for people; of a URL that cannot be read the scheme alone."""
    if "://" not in store:
        return store
    try:
        return bare(store)
    except RepositoryError:
        return f"{store.partition('://')[0]}://..."
