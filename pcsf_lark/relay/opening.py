"""Opening and beginning a repository: its place, its store and its key together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from pcsf_lark.relay import access, home
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
    """Begin, or open what was begun; raises RepositoryError or StoreDamagedError."""
    place, fresh, _ = home.made(start, store, environ, session=session, branch=branch)
    named = store or environ.get(home.VARIABLE, "")
    # The configuration has the URL without its password; this call has it whole.
    target = named if "://" in named and "://" in place.store else place.store
    database = access.opened(target, place.shown, create=True)
    try:
        with access.reached(place.shown):
            begun = place.session in database.sessions()
        if place.key is not None and not (environ.get(VARIABLE) or place.key.exists() or begun):
            make_key(place.key)
        key = find_key(place.key, environ)
    except BaseException:
        database.close()
        raise
    return Opened(place=evolve(place, store=target), store=database, key=key, fresh=fresh)


def _only_session(place: Home, store: Store) -> str:
    with access.reached(place.shown):
        names = store.sessions()
    if len(names) == 1:
        return names[0]
    known = ", ".join(names[:8]) or "none"
    raise RepositoryError(place.shown, f"name the session (--session); there are {known}")
