"""The packages as griffe reads them, once."""

from __future__ import annotations

from functools import cache

import griffe

from apidocs.docstrings import ROOT

__all__ = ["final", "found", "modules"]

_ROOTS = ("pcsf_lark", "cso", "kernel")


@cache
def modules() -> griffe.ModulesCollection:
    """Every module of the three packages, by its dotted name."""
    loader = griffe.GriffeLoader(search_paths=[ROOT], allow_inspection=False)
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
