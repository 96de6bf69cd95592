"""Whether any package installed here brings rules of its own.

Most machines have none, and asking Python's metadata reader takes longer than
a check; so the installed packages' entry point files are looked at first.
"""

from __future__ import annotations

import os
import sys

__all__ = ["GROUP", "RuleError", "any_rules"]

GROUP = "pcsf.rules"
_SECTION = f"[{GROUP}]".encode()


class RuleError(Exception):
    """A rule from outside that cannot be used: which, from where, and why.

    Attributes:
        rule: Its code or entry point.
        package: The distribution it came with.
        reason: What is wrong with it.
    """

    def __init__(self, rule: str, package: str, reason: str) -> None:
        super().__init__(rule, package, reason)
        self.rule: str = rule
        self.package: str = package
        self.reason: str = reason

    def __str__(self) -> str:
        """``rule X of package Y: reason``."""
        return f"rule {self.rule} of package {self.package}: {self.reason}"


def any_rules() -> bool:
    """Whether a package on the path has entry points of the group."""
    return any(map(_named, sys.path))


def _named(folder: str) -> bool:
    try:
        names = os.listdir(folder or ".")  # noqa: PTH208 - half the time of Path.iterdir
    except OSError:
        # An archive on the path: let Python look. What does not exist holds none.
        return os.path.isfile(folder)  # noqa: PTH113 - likewise
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            try:
                with open(f"{folder}/{name}/entry_points.txt", "rb") as stream:  # noqa: PTH123
                    if _SECTION in stream.read():
                        return True
            except OSError:
                continue
    return False
