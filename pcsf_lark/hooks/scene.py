"""Where a hook acts: the project's folder, its `.pcsf`, its repository.

Law: nothing is made. A project where no relay was begun is none of the hook's business.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.relay import Repository

__all__ = ["Scene", "scene_of"]

_FOLDER, _STORE, _KEY = ".pcsf", "PCSF_RELAY", "PCSF_RELAY_KEY"


@frozen
class Scene:
    """The folder to begin at, and the `.pcsf` at or above it, whole or not."""

    start: Path
    folder: Path | None

    @property
    def silent(self) -> bool:
        """Whether there is no relay to speak of."""
        return self.folder is None and not os.environ.get(_STORE)

    def repository(self) -> Repository:
        """Open the repository; raises what that raises, and RepositoryError for a strange store.

        A store on the network that a project's configuration names is used only with
        the project's own key, or where PCSF_RELAY names it, too: a configuration comes
        with a clone, and whoever wrote it must not be sent a session by it.
        """
        from pcsf_lark.relay import Repository, RepositoryError  # noqa: PLC0415 - costs a start
        from pcsf_lark.relay.home import found  # noqa: PLC0415 - likewise

        place = found(self.start, None, os.environ)
        named = os.environ.get(_STORE, "")
        if "://" in place.store and "://" not in named and os.environ.get(_KEY):
            what = f"named by the project alone; set {_STORE} to it if hooks may use it"
            raise RepositoryError(place.shown, what)
        return Repository.open(self.start)


def scene_of(places: Iterable[str]) -> Scene:
    """The first of some folders at or above which there is a `.pcsf`, else the first that exists."""
    first: Path | None = None
    for name in places:
        if not name:
            continue
        with contextlib.suppress(OSError, ValueError):
            start = Path(name).absolute()
            if not start.is_dir():
                continue
            first = first or start
            folder = _upwards(start)
            if folder is not None:
                return Scene(start, folder)
    return Scene(first or Path(), None)


def _upwards(start: Path) -> Path | None:
    places = (place / _FOLDER for place in (start, *start.parents))
    return next((place for place in places if place.is_dir()), None)
