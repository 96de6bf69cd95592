"""Which configuration holds for a file: the nearest ``pcsf.toml`` or ``[tool.pcsf]`` above it.

In one folder ``pcsf.toml`` comes before ``pyproject.toml``; a
``pyproject.toml`` without the table is passed over. What a configuration may
say is told in ``settings``, which is loaded only where there is one.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pcsf_lark.faces.settings import Settings

__all__ = ["NAMES", "Configurations"]

#: The files that may hold a configuration.
NAMES = _OWN, _SHARED = "pcsf.toml", "pyproject.toml"


class Configurations:
    """The configuration of each file, looked up once a folder.

    ``path`` is the one file to use for all, ``isolated`` means none at all.
    """

    def __init__(self, path: str | None = None, *, isolated: bool = False) -> None:
        self._isolated = isolated
        self._found: dict[str, Settings | None] = {}
        self._fixed: Settings | None = None
        if path is not None and not isolated:
            from pcsf_lark.faces.settings import read  # noqa: PLC0415 - see above

            self._fixed = read(path, asked=True)

    def of(self, path: str) -> Settings | None:
        """The settings for a file; raises ConfigError for a configuration that is wrong."""
        if self._isolated or self._fixed is not None:
            return self._fixed
        return self._folder(os.path.abspath(os.path.dirname(path)))  # noqa: PTH100, PTH120 - hot

    def _folder(self, folder: str) -> Settings | None:
        if folder in self._found:
            return self._found[folder]
        found = _in(folder)
        parent = os.path.dirname(folder)  # noqa: PTH120 - hot
        if found is None and parent != folder:
            found = self._folder(parent)
        self._found[folder] = found
        return found


def _in(folder: str) -> Settings | None:
    for name in (_OWN, _SHARED):
        path = os.path.join(folder, name)  # noqa: PTH118 - hot
        if os.path.isfile(path):  # noqa: PTH113 - hot
            if name == _SHARED and not _mentions(path):
                continue
            from pcsf_lark.faces.settings import read  # noqa: PLC0415 - see above

            if (found := read(path, asked=False)) is not None:
                return found
    return None


def _mentions(path: str) -> bool:
    """Whether it is worth parsing: TOML's parser takes longer than a check."""
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - hot
            return b"pcsf" in stream.read()
    except OSError:
        return False
