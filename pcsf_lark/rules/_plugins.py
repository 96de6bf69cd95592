"""Rules from outside: modules that other packages name under ``pcsf.rules``.

An entry point names a module that is a rule, or a package each of whose
modules is one. Most machines have none, and asking Python's own metadata
reader costs more than a check; so the installed packages' entry point files
are looked at first.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

__all__ = ["GROUP", "RuleError", "modules"]

GROUP = "pcsf.rules"
_SECTION = f"[{GROUP}]".encode()


class RuleError(Exception):
    """A rule from outside that cannot be used: which, from where, and why."""

    def __init__(self, rule: str, package: str, reason: str) -> None:
        super().__init__(rule, package, reason)
        self.rule = rule
        self.package = package
        self.reason = reason

    def __str__(self) -> str:
        """``rule X of package Y: reason``."""
        return f"rule {self.rule} of package {self.package}: {self.reason}"


def modules() -> Iterator[tuple[str, ModuleType]]:
    """Each rule module from outside with its distribution's name; raises RuleError."""
    if not any(map(_named, sys.path)):
        return
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and mostly not needed

    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        package = point.dist.name if point.dist else "unknown"
        try:
            loaded = point.load()
            found = list(_members(loaded))
        except Exception as error:
            reason = f"not loaded: {type(error).__name__}: {error}"
            raise RuleError(point.value, package, reason) from error
        for module in found:
            yield package, module


def _members(loaded: ModuleType) -> Iterator[ModuleType]:
    if hasattr(loaded, "CODE"):
        yield loaded
        return
    import pkgutil  # noqa: PLC0415 - for a package of rules alone

    for info in sorted(pkgutil.iter_modules(loaded.__path__), key=lambda i: i.name):
        if not info.name.startswith("_"):
            yield import_module(f"{loaded.__name__}.{info.name}")


def _named(folder: str) -> bool:
    """Whether a package installed in a folder of the path has entry points of the group."""
    try:
        names = os.listdir(folder or ".")  # noqa: PTH208 - half the time of Path.iterdir
    except OSError:
        # An archive on the path: let Python look. What does not exist holds none.
        return os.path.isfile(folder)  # noqa: PTH113 - likewise
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(f"{folder}/{name}/entry_points.txt", "rb") as stream:  # noqa: PTH123 - likewise
                    if _SECTION in stream.read():
                        return True
            except OSError:
                continue
    return False
