"""Opening and beginning a repository: its place, its store and its key together."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from pcsf_lark.relay import access, home, urls
from pcsf_lark.relay.errors import RepositoryError
from pcsf_lark.relay.keys import VARIABLE, find_key, make_key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cso.keys import Key
    from cso.store import Store
    from pcsf_lark.relay.home import Home

__all__ = ["Opened", "found", "made"]


@frozen(kw_only=True)
class Opened:
    """What a repository is made of; ``fresh`` where its folder was made just now."""

    place: Home
    store: Store
    key: Key | None
    fresh: bool = False


def found(
    start: Path,
    environ: Mapping[str, str],
    *,
    store: str | None,
    session: str | None,
    keyless: bool,
) -> Opened:
    """Open what is there; raises RepositoryError or StoreDamagedError."""
    place = home.found(start, store, environ, session)
    key = None if keyless else find_key(place.key, environ)
    database = access.opened(place.store, place.shown, create=False)
    try:
        if not place.session:
            place = evolve(place, session=_only_session(place, database))
    except BaseException:
        database.close()
        raise
    return Opened(place=place, store=database, key=key)


def made(
    start: Path,
    environ: Mapping[str, str],
    *,
    store: str | None,
    session: str | None,
    branch: str,
) -> Opened:
    """Begin, or open what was begun; raises RepositoryError or StoreDamagedError.

    The store is reached before anything is written down. A session that was begun
    elsewhere needs the key it was begun with.
    """
    named = store or environ.get(home.VARIABLE, "")
    there = home.begun(start)
    if there is not None:
        return _again(there, environ, named, session)
    place = home.planned(start, named or None, session, branch)
    try:
        new = home.folder_made(place)
        try:
            return _begun(place, environ)
        except BaseException:
            if new and place.folder is not None:
                with contextlib.suppress(OSError):  # not empty: somebody else's
                    place.folder.rmdir()
            raise
    except OSError as error:
        raise RepositoryError(str(place.folder), error.strerror or "cannot be written") from None


def _begun(place: Home, environ: Mapping[str, str]) -> Opened:
    """Reach the store, make the key unless the session has one, write it all down."""
    database = access.opened(place.store, place.shown, create=True)
    try:
        known = _has(database, place)
        if place.key is not None and not environ.get(VARIABLE) and not known:
            make_key(place.key)
        key = find_key(place.key, environ)
        written, fresh = home.written(place)
        if not fresh and written.store != place.store:
            database.close()
            database = access.opened(written.store, written.shown, create=True)
    except BaseException:
        database.close()
        raise
    target = place.store if fresh else written.store
    return Opened(place=evolve(written, store=target), store=database, key=key, fresh=fresh)


def _again(there: Home, environ: Mapping[str, str], named: str, session: str | None) -> Opened:
    """Open what was begun before; refuses to be begun otherwise."""
    target = urls.placed(named) if named else there.store
    shown = urls.bare(target) if "://" in target else target
    if shown not in (there.shown, there.store):
        what = f"is there already, with its state in {there.shown}; remove it to begin elsewhere"
        raise RepositoryError(str(there.folder), what)
    if session is not None and session != there.session:
        what = f"is there already, with the session {there.session}; remove it to begin another"
        raise RepositoryError(str(there.folder), what)
    database = access.opened(target, there.shown, create=True)
    try:
        lacking = there.key is not None and not (environ.get(VARIABLE) or there.key.exists())
        if there.key is not None and lacking and not _has(database, there):
            make_key(there.key)
        key = find_key(there.key, environ)
    except BaseException:
        database.close()
        raise
    return Opened(place=evolve(there, store=target), store=database, key=key)


def _has(database: Store, place: Home) -> bool:
    """Whether the session was begun in the store."""
    with access.reached(place.shown):
        return place.session in database.sessions()


def _only_session(place: Home, store: Store) -> str:
    with access.reached(place.shown):
        names = store.sessions()
    if len(names) == 1:
        return names[0]
    known = ", ".join(names[:8]) or "none"
    raise RepositoryError(place.shown, f"name the session (--session); there are {known}")
