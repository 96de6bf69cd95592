"""The folder `.pcsf`: found upwards like `.git`, made by `init`, read as configuration.

It holds `config.toml` (session, store, branch), `key`, `.gitignore` and, unless
the store is elsewhere, `state.db`. The configuration is written last, so a folder
that has one is whole. No password is ever written to it.
"""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from pcsf_lark.relay import urls
from pcsf_lark.relay.errors import RepositoryError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FOLDER",
    "VARIABLE",
    "Home",
    "begun",
    "folder_made",
    "found",
    "is_name",
    "planned",
    "switched",
    "written",
]

FOLDER = ".pcsf"
#: The environment's variable that names a store, as `--store` does.
VARIABLE = "PCSF_RELAY"
_CONFIG, _KEY, _DATABASE = "config.toml", "key", "state.db"
_IGNORED = """\
# The key is its owner's alone; the database does not merge, and may be private.
/key
/state.db*
/.state.db*
/.pcsf-*
/*.log
"""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}")


@frozen(kw_only=True)
class Home:
    """Where a repository is: its folder if there is one, store, session and branch."""

    folder: Path | None
    store: str
    session: str
    branch: str = "main"

    @property
    def key(self) -> Path | None:
        """The key file's place."""
        return self.folder / _KEY if self.folder else None

    @property
    def shown(self) -> str:
        """The store for people: a URL without its password."""
        return urls.shown(self.store)


def is_name(text: str) -> bool:
    """Tell whether a text can name a branch or a session."""
    return bool(_NAME.fullmatch(text)) and not text.isdigit() and text != "HEAD"


def found(
    start: Path, store: str | None, environ: Mapping[str, str], session: str | None = None
) -> Home:
    """The repository that ``store``, else PCSF_RELAY, names, else the nearest one upwards.

    ``store`` is a project's folder or its `.pcsf`, a database file, or a URL; of the
    last two the nearest `.pcsf` gives session and key, where there is one. Raises
    RepositoryError.
    """
    named = store or environ.get(VARIABLE, "")
    folder = _upwards(start)
    if named and "://" not in named:
        path = Path(named)
        if path.is_dir():
            folder = next((f for f in (path, path / FOLDER) if (f / _CONFIG).is_file()), None)
            if folder is None:
                raise RepositoryError(named, "no relay is there; `pcsf relay init` begins one")
            named = ""
        elif not path.is_file():
            raise RepositoryError(named, "there is no such store; `pcsf relay init` makes one")
        elif (path.parent / _CONFIG).is_file():
            folder = path.parent
    if folder is None:
        if not named:
            what = f"no {FOLDER} folder here or above; `pcsf relay init` makes one"
            raise RepositoryError(str(start), what)
        return Home(folder=None, store=named, session=session or "")
    home = _read(folder)
    return evolve(home, store=named or home.store, session=session or home.session)


def _upwards(start: Path) -> Path | None:
    here = start.absolute()
    places = (place / FOLDER for place in (here, *here.parents))
    return next((place for place in places if (place / _CONFIG).is_file()), None)


def _read(folder: Path) -> Home:
    path = folder / _CONFIG
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RepositoryError(str(path), f"cannot be read: {reason}") from None
    if given.get("version") != 1:
        raise RepositoryError(str(path), "expected version = 1; a newer pcsf may have written it")
    texts = [given.get(name, "") for name in ("session", "store", "branch")]
    session, store, branch = texts
    if not all(isinstance(text, str) for text in texts) or not store:
        raise RepositoryError(str(path), "expected texts for session, store and branch")
    if not is_name(session) or not is_name(branch):
        raise RepositoryError(str(path), "session and branch are names such as `main`")
    if "://" not in store:
        store = str(folder / store)
    return Home(folder=folder, store=store, session=session, branch=branch)


def begun(start: Path) -> Home | None:
    """The repository below ``start``, None where there is none yet."""
    folder = start.absolute() / FOLDER
    return _read(folder) if (folder / _CONFIG).exists() else None


def planned(start: Path, store: str | None, session: str | None, branch: str) -> Home:
    """A repository to be made below ``start``, its store as it was named.

    Raises RepositoryError for names that are none.
    """
    for name in (session, branch):
        if name is not None and not is_name(name):
            what = "expected a name of letters, digits and . _ / -, not digits alone"
            raise RepositoryError(repr(name)[:80], what)
    folder = start.absolute() / FOLDER
    place = urls.placed(store) if store else str(folder / _DATABASE)
    named = session or f"pcsf-{os.urandom(8).hex()}"
    return Home(folder=folder, store=place, session=named, branch=branch)


def folder_made(home: Home) -> bool:
    """Make the folder; whether it was not there. Raises OSError."""
    if home.folder is None or home.folder.is_dir():
        return False
    home.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return True


def written(home: Home) -> tuple[Home, bool]:
    """Write a planned repository down; as it stands then, and whether it is this one.

    Another process may have been first. Raises OSError.
    """
    folder = home.folder or Path(FOLDER)
    _exclusively(folder, ".gitignore", _IGNORED)
    place = urls.bare(home.store) if "://" in home.store else home.store
    if place == str(folder / _DATABASE):
        place = _DATABASE
    fresh = _exclusively(folder, _CONFIG, _config(home.session, place, home.branch))
    return _read(folder), fresh


def switched(home: Home, branch: str) -> Home:
    """The home with another branch as its current one, written down."""
    if home.folder is None:
        raise RepositoryError(home.shown, "has no `.pcsf` folder to note a branch in")
    kept = _read(home.folder)
    place = os.path.relpath(kept.store, home.folder) if "://" not in kept.store else kept.store
    text = _config(kept.session, place, branch)
    made_here = home.folder / f".pcsf-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    try:
        made_here.write_text(text, "utf-8")
        made_here.replace(home.folder / _CONFIG)
    except OSError as error:
        raise RepositoryError(str(home.folder), error.strerror or "cannot be written") from None
    return evolve(home, branch=branch)


def _config(session: str, store: str, branch: str) -> str:
    quoted = '"' + store.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f'version = 1\nsession = "{session}"\nstore = {quoted}\nbranch = "{branch}"\n'


def _exclusively(folder: Path, name: str, text: str) -> bool:
    """Write a file whole, unless it is there; whether it was written."""
    beside = folder / f".pcsf-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    beside.write_text(text, "utf-8")
    try:
        os.link(beside, folder / name)
    except FileExistsError:
        return False
    finally:
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()
    return True
