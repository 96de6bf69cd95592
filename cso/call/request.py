"""Reading the input of a call: typed access, references to earlier lines, paths."""

from __future__ import annotations

import copy
import re
from typing import Any

from attrs import define, field, frozen

from cso.errors import CsoError

__all__ = ["Earlier", "InputError", "Line", "changed", "integer", "listed", "merged", "text"]


class InputError(CsoError):
    """The input of a call does not have the shape its kind needs."""

    default_code = "input"


@frozen
class Line:
    """An answered line that later ones may refer to."""

    kind: str
    input: dict[str, Any]


@define
class Earlier:
    """The lines of this stream so far, by id."""

    lines: dict[str, Line] = field(factory=dict)

    def find(self, name: Any, at: str) -> Line:
        """Give an earlier line by id, or raise `InputError` (code `reference`)."""
        line = self.lines.get(name) if isinstance(name, str) else None
        if line is None:
            what = f"no earlier line {name!r:.80} in this stream"
            raise InputError(what, at=at, code="reference")
        return line

    def object_at(self, reference: Any, at: str) -> tuple[dict[str, Any], Line]:
        """Give the object that `ID` or `ID[n]` names, and its line.

        `ID` alone is the only or last object of the line.
        """
        match = (
            re.fullmatch(r"(.*?)(?:\[(\d{1,6})\])?", reference)
            if isinstance(reference, str)
            else None
        )
        if match is None:
            raise InputError(
                "expected the id of an earlier line, or ID[n]", at=at, code="reference"
            )
        line = self.find(reference if reference in self.lines else match[1], at)
        objects = self.chain(line, at)
        index = int(match[2]) if match[2] and reference not in self.lines else len(objects) - 1
        if index >= len(objects):
            raise InputError(f"that line has {len(objects)} objects", at=at, code="reference")
        return objects[index], line

    def chain(self, line: Line, at: str) -> list[dict[str, Any]]:
        """Give copies of a line's objects: its chain, its object, or its base's, changed."""
        given = line.input
        if "chain" in given:
            return [self.element(element, at)[0] for element in listed(given, "chain")]
        if "cso" in given:
            return [copy.deepcopy(mapping(given, "cso"))]
        if "base" in given:
            found, _ = self.object_at(given["base"], at)
            return [changed(found, given.get("set", {}))]
        raise InputError("that line has no object", at=at, code="reference")

    def element(self, element: Any, at: str) -> tuple[dict[str, Any], Line | None]:
        """Give an element of a chain: an object, or what a reference names.

        A reference is the id of a line, or `{base, set}` to change what it names.
        """
        if isinstance(element, dict) and "base" in element and "cso_id" not in element:
            found, line = self.object_at(element["base"], at)
            return changed(found, element.get("set", {})), line
        if isinstance(element, dict):
            return copy.deepcopy(element), None
        found, line = self.object_at(element, at)
        return found, line


def mapping(given: dict[str, Any], name: str) -> dict[str, Any]:
    """Give a member that must be an object."""
    value = given.get(name)
    if not isinstance(value, dict):
        raise InputError("expected an object", at=name)
    return value


def listed(given: dict[str, Any], name: str) -> list[Any]:
    """Give a member that must be an array; absent is empty."""
    value = given.get(name, [])
    if not isinstance(value, list):
        raise InputError("expected an array", at=name)
    return value


def text(given: dict[str, Any], name: str, default: str | None = None) -> str:
    """Give a member that must be a string."""
    value = given.get(name, default)
    if not isinstance(value, str):
        raise InputError("expected a string", at=name)
    return value


def integer(given: dict[str, Any], name: str, default: int | None = None) -> int:
    """Give a member that must be an integer of at least 0."""
    value = given.get(name, default)
    if type(value) is not int or value < 0:
        raise InputError("expected an integer of at least 0", at=name)
    return value


def merged(given: dict[str, Any], earlier: Earlier) -> dict[str, Any]:
    """Give the input laid over that of its base, with `set` applied."""
    if "base" not in given:
        return given
    under = merged(earlier.find(given["base"], "base").input, earlier)
    over = {name: value for name, value in given.items() if name not in ("base", "set")}
    for name, value in over.items():
        if isinstance(value, dict) and isinstance(under.get(name), dict):
            over[name] = {**under[name], **value}
    return changed({**copy.deepcopy(under), **over}, given.get("set", {}))


def changed(value: dict[str, Any], changes: Any) -> dict[str, Any]:
    """Set members of a copy by path: names and list indices joined by dots."""
    if not isinstance(changes, dict):
        raise InputError("expected an object of paths", at="set")
    result = copy.deepcopy(value)
    for path, new in changes.items():
        *way, last = path.split(".")
        place: Any = result
        for step in way:
            place = _step(place, step, path)
        if isinstance(place, list):
            place[_index(place, last, path)] = new
        elif isinstance(place, dict):
            place[last] = new
        else:
            raise InputError("the path leads through a scalar", at=path)
    return result


def _step(place: Any, step: str, path: str) -> Any:
    if isinstance(place, list):
        return place[_index(place, step, path)]
    if isinstance(place, dict):
        # An extension member that is not there yet is made on the way.
        return place.setdefault(step, {})
    raise InputError("the path leads through a scalar", at=path)


def _index(place: list[Any], step: str, path: str) -> int:
    if not (step.isascii() and step.isdigit() and len(step) < 9 and int(step) < len(place)):
        raise InputError(f"no element {step!r:.20} of {len(place)}", at=path)
    return int(step)
