"""What a tool takes: one row an argument, read as a JSON Schema and as the check of a call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from pcsf_lark.faces.mcp.bounds import NAME
from pcsf_lark.faces.mcp.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Argument", "schema", "taken", "told"]

#: A kind of value: its JSON type, that of its items, and the words for it.
_KINDS: Mapping[str, tuple[str, str, str]] = {
    "string": ("string", "", "a text"),
    "integer": ("integer", "", "a whole number"),
    "boolean": ("boolean", "", "true or false"),
    "object": ("object", "", "a JSON object"),
    "strings": ("array", "string", "a list of texts"),
    "objects": ("array", "object", "a list of JSON objects"),
}
_TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "object": dict,
    "array": list,
}


class Argument(NamedTuple):
    """One argument.

    ``most`` bounds a text's characters, a number, or a list's items; ``each`` the
    characters of a list's texts.
    """

    name: str
    kind: str
    about: str
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = NAME
    each: int = NAME

    @property
    def type(self) -> str:
        """The JSON type."""
        return _KINDS[self.kind][0]

    @property
    def wanted(self) -> str:
        """What is expected, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        words = _KINDS[self.kind][2]
        if self.kind == "integer":
            return f"{words} from {self.least:,} to {self.most:,}"
        if self.kind == "string":
            return f"{words} of at most {self.most:,} characters"
        if self.type == "array":
            return f"{words}, {self.least:,} to {self.most:,} of them"
        return words

    def schema(self) -> dict[str, Any]:
        """The argument's own JSON Schema."""
        found: dict[str, Any] = {"type": self.type, "description": self.about}
        if self.choices:
            found["enum"] = list(self.choices)
        elif self.kind == "string":
            found["maxLength"] = self.most
        elif self.kind == "integer":
            found |= {"minimum": self.least, "maximum": self.most}
        elif self.type == "array":
            item = _KINDS[self.kind][1]
            items = {"type": item, **({"maxLength": self.each} if item == "string" else {})}
            found |= {"items": items, "minItems": self.least, "maxItems": self.most}
        return found


def schema(arguments: Sequence[Argument]) -> dict[str, Any]:
    """The JSON Schema of a call."""
    return {
        "type": "object",
        "properties": {one.name: one.schema() for one in arguments},
        "required": [one.name for one in arguments if one.required],
        "additionalProperties": False,
    }


def taken(arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call, each of them sound, null ones left out; raises Refusal."""
    known = {one.name: one for one in arguments}
    for name in given:
        if name not in known:
            there = ", ".join(known)
            raise Refusal(f"there is no argument {name!r:.80}", f"the arguments are {there}")
    found = {name: value for name, value in given.items() if value is not None}
    for one in arguments:
        if one.name in found:
            _judge(one, found[one.name])
        elif one.required:
            raise Refusal("is missing", f"send {one.wanted}: {one.about}", at=one.name)
    return found


def _judge(one: Argument, value: Any) -> None:
    # A bool is an int to Python, and to nobody else.
    sound = isinstance(value, _TYPES[one.type]) and (
        one.type == "boolean" or not isinstance(value, bool)
    )
    if not sound:
        raise Refusal(f"is {told(value)}", f"send {one.wanted}", at=one.name)
    if one.choices and value not in one.choices:
        raise Refusal(f"is {value!r:.80}", f"send {one.wanted}", at=one.name)
    if one.type == "integer" and not one.least <= value <= one.most:
        raise Refusal(f"is {value!s:.40}", f"send {one.wanted}", at=one.name)
    if one.type == "string" and len(value) > one.most:
        raise Refusal(f"has {len(value):,} characters", f"send {one.wanted}", at=one.name)
    if one.type == "array":
        _judge_items(one, value)
    if one.kind in ("object", "objects"):
        _require_json(one, value)


def _judge_items(one: Argument, value: list[Any]) -> None:
    if not one.least <= len(value) <= one.most:
        raise Refusal(f"has {len(value):,} items", f"send {one.wanted}", at=one.name)
    item = _KINDS[one.kind][1]
    for number, found in enumerate(value):
        at = f"{one.name}[{number}]"
        if not isinstance(found, _TYPES[item]):
            raise Refusal(f"is {told(found)}", f"send {one.wanted}", at=at)
        if isinstance(found, str) and len(found) > one.each:
            mend = f"at most {one.each:,} may be sent"
            raise Refusal(f"has {len(found):,} characters", mend, at=at)


def _require_json(one: Argument, value: Any) -> None:
    """Refuse what readers of JSON let pass though it is none."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        what = "holds a number that is none, or is too large for one"
        raise Refusal(what, "send finite numbers, or null", at=one.name) from None


def told(value: Any) -> str:
    """What kind of value it is, in words; values may be huge."""
    names = {bool: "a truth value", int: "a number", float: "a number", str: "a text"}
    return names.get(type(value), "a list" if isinstance(value, list) else "an object")
