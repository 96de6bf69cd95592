"""The relay that a call is about: the one the server was started with, or one below a root.

Laws of this file: of a relay below a root nothing lies elsewhere, whatever its own
configuration says: not its store, what SQLite keeps beside it, or its key; no call names
a database by its URL; a store is tables alone.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pcsf_lark.faces.mcp.confinement import Roots
    from pcsf_lark.faces.mcp.inputs import Grant
    from pcsf_lark.relay import Repository

__all__ = ["RELAY_INPUT", "opened"]

RELAY_INPUT = (
    Argument(
        "store",
        "string",
        "A project's folder with a .pcsf, relative to a root; default: the server's own relay, "
        "else that of a root.",
    ),
    Argument("session", "string", "The session, where the store has several."),
    Argument("branch", "string", "The branch; default: the current one."),
)
_CONFIG = ".pcsf/config.toml"
#: Bytes of a configuration, and of a store, of relays below a root.
_CONFIG_MOST = 64 * 1024
_STORE_MOST = 1024 * 1024 * 1024
#: Seconds to wait for others that write to it.
_PATIENCE = 20
_LOOK = "name another folder, or ask the user to look at it with `pcsf relay verify`"


@contextlib.contextmanager
def opened(given: Mapping[str, Any], grant: Grant) -> Iterator[Repository]:
    """The relay of a call, closed in the end; raises Refusal."""
    from pcsf_lark.relay import Repository  # noqa: PLC0415 - brings SQLAlchemy

    session, branch = given.get("session"), given.get("branch")
    if "store" not in given and grant.relay is not None:
        with Repository.open(store=grant.relay, session=session, branch=branch) as relay:
            yield relay
        return
    folder = _folder(given, grant.roots)
    _require_inside(folder, grant.roots)
    environ = _environment()
    with Repository.open(
        folder, store=str(folder), session=session, branch=branch, environ=environ
    ) as relay:
        yield relay


def _folder(given: Mapping[str, Any], roots: Roots) -> Path:
    """A project's folder below a root, or a root that is one."""
    if "store" in given:
        return roots.folder(given["store"], "store")
    for root in roots:
        if (root / _CONFIG).is_file():
            return root
    what = "this server was started without a relay"
    mend = "ask the user to start `pcsf mcp --root FOLDER` where `pcsf relay init` was run"
    raise Refusal(what, mend, at="store", code="relay")


def _environment() -> dict[str, str]:
    """Of the environment the key alone: what names another store does not count here."""
    from pcsf_lark.relay.keys import VARIABLE  # noqa: PLC0415 - likewise

    return {VARIABLE: os.environ[VARIABLE]} if VARIABLE in os.environ else {}


def _require_inside(folder: Path, roots: Roots) -> None:
    """Refuse a relay whose parts lie elsewhere, or are not what a relay is made of."""
    from pcsf_lark.relay import home  # noqa: PLC0415 - likewise

    places = [folder / "config.toml", folder / _CONFIG]
    config = next((place for place in places if place.is_file()), None)
    if config is None:
        mend = "name a folder where `pcsf relay init` was run"
        raise Refusal("there is no .pcsf in it", mend, at="store", code="relay")
    if roots.holds(config):
        if config.stat().st_size > _CONFIG_MOST:
            raise _unlike(f"its configuration has more than {_CONFIG_MOST:,} bytes")
        found = home.found(folder, str(folder), {})
        store, key = Path(found.store), found.key
        inside = "://" not in found.store and roots.holds(store)
        if inside and (key is None or roots.holds(key)):
            _require_plain(store.resolve())
            return
    what = "its configuration, store or key lies outside the roots"
    mend = "ask the user to start `pcsf mcp --relay FOLDER` for it"
    raise Refusal(what, mend, at="store", code="relay")


def _require_plain(store: Path) -> None:
    """Refuse a store that would have SQLite write, wait or work elsewhere than in it.

    What lies beside it under its name SQLite takes for its own: through a link it would
    write to what that leads to, for a pipe it would wait. Views and triggers are code.
    """
    for place in (store, *store.parent.glob(f"{glob.escape(store.name)}*")):
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(place.lstat().st_mode):
                raise _unlike(f"{place.name} is no regular file")
    if not store.is_file():
        return
    if store.stat().st_size > _STORE_MOST:
        raise _unlike(f"its store has more than {_STORE_MOST:,} bytes")
    # As the relay itself will: what is written rolls back what a crash left half done.
    address = f"{store.as_uri()}?mode=rw"
    with contextlib.closing(sqlite3.connect(address, timeout=_PATIENCE, uri=True)) as database:
        query = "SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')"
        try:
            if database.execute(query).fetchone()[0]:
                raise _unlike("its store has views or triggers")
        except sqlite3.Error as error:
            what = f"its store cannot be read: {error}"
            raise Refusal(what, _LOOK, at="store", code="relay") from None


def _unlike(what: str) -> Refusal:
    return Refusal(f"{what}, as no relay is", _LOOK, at="store", code="relay")
