"""The store of a repository, its errors in words that show no password, writes retried.

A write is a compare-and-set: what was made on a head is stored only while that is
still the head. Else it is made anew on the new one, a bounded number of times,
with waits that grow and hold no chance.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cso.errors import ConflictError
from pcsf_lark.relay.errors import RepositoryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cso.store import Store

__all__ = ["ATTEMPTS", "opened", "reached", "retried"]

#: How often a write is tried before it is told as not made.
ATTEMPTS = 100
_THERE = (
    "another branch has this very window already; to take it over: "
    "`pcsf relay branch` says which, `pcsf relay merge` joins it"
)
_FIRST, _LONGEST = 0.001, 0.032


def opened(target: str, shown: str, *, create: bool) -> Store:
    """The store at a path or URL; raises RepositoryError, or StoreDamagedError."""
    try:
        from cso.store import Store  # noqa: PLC0415 - brings SQLAlchemy
    except ImportError as error:
        raise RepositoryError(shown, str(error)) from None
    if not create and not _may_be_there(target):
        what = "the store is gone; put it back, or remove `.pcsf` to begin anew"
        raise RepositoryError(shown, what)
    with reached(shown):
        return Store(target)


def _may_be_there(target: str) -> bool:
    """Whether opening may find something: SQLite makes the file that a path or URL names."""
    if "://" not in target:
        return Path(target).exists()
    from sqlalchemy import make_url  # noqa: PLC0415 - for a URL alone
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 - likewise

    try:
        url = make_url(target)
    except (ArgumentError, ValueError):
        return True  # it is told as what it is where it is opened
    return url.get_backend_name() != "sqlite" or not url.database or Path(url.database).exists()


@contextmanager
def reached(shown: str) -> Iterator[None]:
    """Turn a database's own errors into RepositoryError."""
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - likewise

    try:
        yield
    except (SQLAlchemyError, ImportError, OSError) as error:
        # Not the whole text: it may name the user and the password of a URL.
        cause = getattr(error, "orig", None) or error
        told = type(cause).__name__
        if "://" not in shown:
            told = (str(cause).splitlines() or [told])[0]
        raise RepositoryError(shown, f"the store cannot be used: {told}") from None


def retried(attempt: Callable[[], Any], attempts: int, what: str) -> tuple[Any, int]:
    """What an attempt gives that no other writer overtook, and how many it took.

    An attempt gives a function that stores, or None where there is nothing to store.
    Raises ConflictError (code ``busy``) when the last one was overtaken, too, and with code
    ``exists`` where twice the same object was to be stored that is there.
    """
    wait, last = _FIRST, ""
    for number in range(1, attempts + 1):
        made, store = attempt()
        if store is None:
            return made, number
        try:
            store()
        except ConflictError as error:
            if error.code not in ("conflict", "busy"):
                raise
            if error.at == last and last.startswith("sha256:"):
                # Nobody is faster: what is to be stored is there, and will be.
                raise ConflictError(_THERE, code="exists", at=error.at) from None
            last = error.at
            time.sleep(wait)
            wait = min(wait * 2, _LONGEST)
        else:
            return made, number
    told = f"{what} did not land: other writers were first {attempts} times; nothing was stored"
    raise ConflictError(f"{told}; do it again", code="busy")
