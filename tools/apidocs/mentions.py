"""Which types a name mentions: those that are public, and the aliases behind the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import griffe

from apidocs.reading import alias, defined, targets

if TYPE_CHECKING:
    from apidocs.reading import Name

__all__ = ["aliases", "publics", "used"]


def publics(annotation: object) -> list[Name]:
    """The public names in an annotation, in order."""
    found = (targets().get(path) for path in _paths(annotation))
    return list({one.path: one for one in found if one is not None}.values())


def used(name: Name) -> list[Name]:
    """The public types of a name's signature and methods."""
    found = {one.path: one for types in _annotations(name) for one in publics(types)}
    found.pop(name.path, None)
    return list(found.values())


def aliases(name: Name) -> list[tuple[str, str]]:
    """The type aliases there that have no place of their own, with what they stand for."""
    found: dict[str, str] = {}
    for types in _annotations(name):
        for path in _paths(types):
            known = None if path in targets() else alias(path)
            if known is not None and known[1] != known[0]:
                found[known[0]] = known[1]
    return list(found.items())


def _annotations(name: Name) -> list[object]:
    """The types in a name's signature and methods."""
    functions = [name.obj, *(one.obj for one in name.members)]
    found: list[object] = []
    for obj in functions:
        if isinstance(obj, griffe.Function):
            found += [*(one.annotation for one in obj.parameters), obj.returns]
        elif isinstance(obj, griffe.Class):
            found += obj.bases
        elif isinstance(obj, griffe.Attribute):
            found.append(obj.annotation)
    return found


def _paths(annotation: object) -> list[str]:
    """Where the names in an annotation are defined, in order."""
    if not isinstance(annotation, griffe.Expr):
        return []
    names = (griffe.ExprName, griffe.ExprAttribute)
    return [
        defined(one.canonical_path)
        for one in annotation.iterate(flat=True)
        if isinstance(one, names)
    ]
