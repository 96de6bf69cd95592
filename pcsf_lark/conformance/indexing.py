"""Which cases are of a version, of a layout, and for a level.

Laws: a version is told by the first line alone, a layout by the tree that
stands beside a capsule, so capsules too broken to have one are in no list.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from pcsf_lark import resources
from pcsf_lark.conformance.suite import LEVELS, cases
from pcsf_lark.spec import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["INDICES", "indexed"]

#: Name of each index file to what it lists.
INDICES = {
    **{version: f"Cases whose first line is that of version {version}." for version in VERSIONS},
    **{layout: f"Conformant cases in the {layout} layout." for layout in ("spaced", "compact")},
    **{f"level-{level}": f"Cases that level {level} compares something of." for level in LEVELS},
}


@cache
def indexed() -> Mapping[str, tuple[str, ...]]:
    """The names in each index, in order."""
    found: dict[str, set[str]] = {name: set() for name in INDICES}
    root = resources.corpus()
    for case in cases():
        for version in VERSIONS:
            if case.stdin.startswith(f"===PCSF:{version}===\n".encode()):
                found[version].add(case.name)
        tree = root / f"{case.name}.json"
        if case.expected.exit == 0 and tree.is_file():
            layout = json.loads(tree.read_text("ascii"))["layout"]
            found[layout].add(case.name)
    for level in LEVELS:
        found[f"level-{level}"] = {
            case.name
            for case in cases("decoder", level)
            if level not in ("codes", "tree") or case.expected.codes or case.expected.tree
        }
    return {name: tuple(sorted(names)) for name, names in found.items()}
