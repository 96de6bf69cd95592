"""The packages as griffe reads them, once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import griffe

from apidocs.docstrings import ROOT

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["final", "found", "modules"]

_ROOTS = ("pcsf_lark", "cso", "kernel")
#: Folders in which nothing is public, and which nothing public needs: a third of all modules.
_UNREAD = ("faces", "hooks")


class _Finder(griffe.ModuleFinder):
    """Finds the modules that are worth reading."""

    def submodules(self, module: griffe.Module) -> list[tuple[tuple[str, ...], Path]]:
        """All below a package but those of the unread folders."""
        return [found for found in super().submodules(module) if found[0][0] not in _UNREAD]


@cache
def modules() -> griffe.ModulesCollection:
    """The modules of the three packages, by their dotted names."""
    loader = griffe.GriffeLoader(search_paths=[ROOT], allow_inspection=False)
    loader.finder = _Finder([ROOT])
    for root in _ROOTS:
        loader.load(root, try_relative_path=False)
    loader.resolve_aliases(external=False)
    return loader.modules_collection


def final(thing: griffe.Object | griffe.Alias) -> griffe.Object:
    """What a name leads to in the end."""
    return thing.final_target if isinstance(thing, griffe.Alias) else thing


def found(path: str) -> griffe.Object | None:
    """The thing of a dotted name, None for one that is not ours."""
    try:
        return final(modules()[path])
    except (KeyError, griffe.AliasResolutionError, griffe.CyclicAliasError):
        return None
