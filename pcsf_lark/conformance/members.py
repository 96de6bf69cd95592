"""Members of a JSON object that must be of a kind.

Laws: what is of another kind raises ValueError, which says where it stands, what it is
and what was expected, on one short line.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["brief", "member", "misfit", "shallow", "strings"]

_T = TypeVar("_T")
_KINDS = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "an object",
}
_ROOM = 60
#: Trees of capsules have six levels.
_DEEPEST = 50


def strings(members: Mapping[str, Any], name: str, at: str) -> tuple[str, ...]:
    """A member that is a list of strings; none where it is missing."""
    found = member(members, name, list, at, ())
    for number, one in enumerate(found):
        if not isinstance(one, str):
            raise misfit(f"{at}{name}[{number}]", one, str)
    return tuple(found)


def member(
    members: Mapping[str, Any], name: str, kind: type, at: str, default: _T | None = None
) -> Any:
    """A member of a kind; ``default`` where it is missing, if there is one."""
    if name not in members:
        if default is None:
            raise ValueError(f"{at}{name} is missing; expected {_KINDS[kind]}")
        return default
    found = members[name]
    taken = (int, float) if kind is float else kind
    if isinstance(found, bool) or not isinstance(found, taken):
        raise misfit(f"{at}{name}", found, kind)
    return found


def misfit(at: str, found: object, kind: type) -> ValueError:
    """What to raise for a value that is not of a kind."""
    return ValueError(f"{at} is {brief(found)}; expected {_KINDS[kind]}")


def brief(found: object) -> str:
    """A value in few words."""
    if isinstance(found, (dict, list)):
        return _KINDS[type(found)]
    shown = json.dumps(found)
    return shown if len(shown) <= _ROOM else f"{shown[:_ROOM]}..."


def shallow(tree: object) -> bool:
    """Whether a tree is nested no deeper than one may be that is to be written again."""
    level = [tree]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return True
    return False
