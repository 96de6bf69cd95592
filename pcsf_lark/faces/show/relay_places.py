"""Whether a path names a relay: its project's folder, its own, its database or its URL."""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_folder_alone", "is_relay"]

_FOLDER, _CONFIG = ".pcsf", "config.toml"
_SQLITE = b"SQLite format 3\0"


def is_relay(path: str) -> bool:
    """Whether there is a relay's state at a path."""
    return (Path(path) / _FOLDER / _CONFIG).is_file() or is_folder_alone(path)


def is_folder_alone(path: str) -> bool:
    """Whether a path names a relay and nothing else: no folder that may hold capsules too."""
    if "://" in path:
        return True
    place = Path(path)
    if place.is_dir():
        return place.name == _FOLDER and (place / _CONFIG).is_file()
    try:
        if not place.is_file():
            return False
        with place.open("rb") as stream:
            return stream.read(len(_SQLITE)) == _SQLITE
    except (OSError, ValueError):
        return False
