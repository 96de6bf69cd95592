"""Input schemas: JSON Schema draft 2020-12, the closed and bounded part the surfaces use.

Laws: every object is closed, every text and list has a bound; a fault is the JSON pointer
and the keyword that failed, never the value; `true` is no integer; an integer may be
spelled as a float without a fraction, as JavaScript hosts do; patterns are written with
anchors and hold the same in both languages; lengths are counted in code points, as the
draft wants. No alternatives: providers refuse a tool whose schema has them at the top.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

__all__ = [
    "DIALECT",
    "KEYWORDS",
    "Schema",
    "block_refs",
    "closed",
    "message_refs",
    "text",
    "violation",
]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
Schema = Mapping[str, Any]


def closed(properties: Mapping[str, Schema], required: Sequence[str], **more: Any) -> Schema:
    """Return the schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def text(longest: int, shortest: int = 1, **more: Any) -> Schema:
    """Return the schema of a text of bounded length."""
    return {"type": "string", "minLength": shortest, "maxLength": longest, **more}


def _refs(letter: str, least: int, most: int) -> Schema:
    return {
        "type": "array",
        "minItems": least,
        "maxItems": most,
        "items": {"type": "string", "pattern": f"^{letter}[0-9]{{6,9}}$", "maxLength": 10},
    }


def message_refs(least: int, most: int) -> Schema:
    """Return the schema of a list of message refs."""
    return _refs("m", least, most)


def block_refs(least: int, most: int) -> Schema:
    """Return the schema of a list of block refs."""
    return _refs("b", least, most)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_integer(value: object) -> bool:
    return _is_number(value) and (isinstance(value, int) or float(str(value)).is_integer())


_TYPES: Final[Mapping[str, Callable[[object], bool]]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list | tuple),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": _is_integer,
    "number": _is_number,
}

#: Each keyword with the type it bears on and what it demands of a value of that type.
_DEMANDS: Final[Mapping[str, tuple[str, Callable[[Any, Any], bool]]]] = {
    "minLength": ("string", lambda bound, value: len(value) >= bound),
    "maxLength": ("string", lambda bound, value: len(value) <= bound),
    "pattern": ("string", lambda bound, value: re.search(_ended(bound), value) is not None),
    "minItems": ("array", lambda bound, value: len(value) >= bound),
    "maxItems": ("array", lambda bound, value: len(value) <= bound),
    "minimum": ("number", lambda bound, value: value >= bound),
    "maximum": ("number", lambda bound, value: value <= bound),
    "required": ("object", lambda bound, value: all(name in value for name in bound)),
}
#: What the reader understands; a schema may use nothing else.
KEYWORDS: Final = frozenset(
    (*_DEMANDS, "type", "const", "enum", "properties", "additionalProperties", "items")
) | {"$schema", "$id", "title", "description", "default"}


def _ended(pattern: str) -> str:
    """Read `$` as the very end, as JavaScript does; Python's lets a line feed follow."""
    return pattern.removesuffix("$") + r"\Z" if pattern.endswith("$") else pattern


def violation(schema: Schema, value: Any, at: str = "") -> str | None:
    """Return where a value leaves its schema, as `pointer: keyword`, None where it fits."""
    return next(_violations(schema, value, at), None)


def _violations(schema: Schema, value: Any, at: str) -> Iterator[str]:
    where = at or "/"
    if "type" in schema and not _TYPES[schema["type"]](value):
        yield f"{where}: type"
        return
    if "const" in schema and not _same(schema["const"], value):
        yield f"{where}: const"
    if "enum" in schema and not any(_same(choice, value) for choice in schema["enum"]):
        yield f"{where}: enum"
    for keyword, (kind, holds) in _DEMANDS.items():
        if keyword in schema and _TYPES[kind](value) and not holds(schema[keyword], value):
            yield f"{where}: {keyword}"
    yield from _inner(schema, value, at)


def _inner(schema: Schema, value: Any, at: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        members = schema.get("properties", {})
        if schema.get("additionalProperties") is False and any(key not in members for key in value):
            yield f"{at or '/'}: additionalProperties"
        for key, member in members.items():
            if key in value:
                yield from _violations(member, value[key], f"{at}/{key}")
    elif isinstance(value, list | tuple) and "items" in schema:
        for index, item in enumerate(value):
            yield from _violations(schema["items"], item, f"{at}/{index}")


def _same(left: Any, right: Any) -> bool:
    return bool(left == right) and isinstance(left, bool) == isinstance(right, bool)
