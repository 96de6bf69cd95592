"""Settings of the projection at the edge: which files there are, and what they say.

The user's file lies under the home directory, the project's under the folder the session
ran in (where that is gone, under the current one); a named file stands for both. Law:
files are read, never made; one that cannot be read is a note, unless it was named.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from kernel.projection.settings.reading import PROJECT_FILE, USER_FILE, merge, parse
from kernel.sessions.lines import Diagnostic
from pcsf_lark.faces.files import Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from kernel.projection.settings.config import Config

__all__ = ["Settings", "settings_of"]

#: Settings are a page; what is far beyond one is a mistake.
_MOST = 1 << 20


@frozen
class Settings:
    """The settings in force, the files that were read, and what of them does not hold."""

    config: Config
    files: tuple[str, ...]
    notes: tuple[Diagnostic, ...]


def settings_of(named: str | None, cwd: object = None) -> Settings:
    """Read the settings for a session that ran in a folder; raises Trouble for a named file."""
    places = [Path(named)] if named is not None else _places(cwd)
    notes: list[Diagnostic] = []
    files: list[str] = []
    said: list[Mapping[str, Any]] = []
    for place in places:
        data = _data(place, notes, wanted=named is not None)
        if data is None:
            said.append({})
            continue
        found, faults = parse(data)
        files.append(str(place))
        notes += [evolve(note, message=f"{place.name}: {note.message}") for note in faults]
        said.append(found)
    config, more = merge(*said)
    return Settings(config, tuple(files), (*notes, *more))


def _places(cwd: object) -> list[Path]:
    project = Path.cwd()
    try:
        if isinstance(cwd, str) and cwd and Path(cwd).is_dir():
            project = Path(cwd)
    except (OSError, ValueError):
        pass
    try:
        home = Path.home()
    except RuntimeError:  # a user without a home directory
        return [project / PROJECT_FILE]
    return [home / USER_FILE, project / PROJECT_FILE]


def _data(place: Path, notes: list[Diagnostic], *, wanted: bool) -> bytes | None:
    try:
        data, reason = _read(place)
    except FileNotFoundError as error:
        if not wanted:
            return None
        data, reason = b"", error.strerror or str(error)
    except (OSError, ValueError) as error:
        data, reason = b"", getattr(error, "strerror", None) or str(error)
    if reason is None:
        return data
    if wanted:
        raise Trouble(str(place), reason)
    notes.append(Diagnostic("config-unreadable", 0, f"{place}: {reason}; left out"))
    return None


def _read(place: Path) -> tuple[bytes, str | None]:
    """Read a file; what is none, or too large, is the reason it is not taken."""
    if not stat.S_ISREG(place.stat().st_mode):
        return b"", "is no regular file"
    with place.open("rb") as stream:
        data = stream.read(_MOST + 1)
    return data, f"has more than {_MOST:,} bytes" if len(data) > _MOST else None
